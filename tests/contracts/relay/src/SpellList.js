import { graphql } from 'relay-runtime';

graphql`
  query SpellListQuery($filter: SpellFilter, $orderBy: [SpellOrder!]) {
    ...SpellList_query @arguments(count: 3, filter: $filter, orderBy: $orderBy)
  }
`;

graphql`
  fragment SpellList_query on Query
  @refetchable(queryName: "SpellListPaginationQuery")
  @argumentDefinitions(
    count: { type: "Int", defaultValue: 3 }
    cursor: { type: "String" }
    filter: { type: "SpellFilter" }
    orderBy: { type: "[SpellOrder!]" }
  ) {
    spells(first: $count, after: $cursor, filter: $filter, orderBy: $orderBy)
      @connection(key: "SpellList_spells", filters: ["filter", "orderBy"]) {
      edges {
        node {
          id
          ...SpellCard_spell
        }
      }
    }
  }
`;
