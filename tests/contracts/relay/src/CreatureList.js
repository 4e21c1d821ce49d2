import { graphql } from 'relay-runtime';

graphql`
  query CreatureListQuery {
    ...CreatureList_query
  }
`;

graphql`
  fragment CreatureList_query on Query
  @refetchable(queryName: "CreatureListPaginationQuery")
  @argumentDefinitions(
    first: { type: "Int" }
    after: { type: "String" }
    last: { type: "Int", defaultValue: 2 }
    before: { type: "String" }
  ) {
    creatures(first: $first, after: $after, last: $last, before: $before)
      @connection(key: "CreatureList_creatures") {
      edges {
        node {
          __typename
          name
          challengeRating
        }
      }
    }
  }
`;
