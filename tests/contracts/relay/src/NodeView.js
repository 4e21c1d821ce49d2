import { graphql } from 'relay-runtime';

graphql`
  query NodeViewQuery($id: ID!, $ids: [ID!]!) {
    node(id: $id) {
      __typename
      id
      ... on Creature {
        hitPoints
      }
      ...SpellCard_spell @arguments(withText: true) @alias(as: "spell")
    }
    nodes(ids: $ids) {
      id
      ...NodeView_named
    }
  }
`;

graphql`
  fragment NodeView_named on Node {
    ... on Spell {
      name
    }
    ... on Creature {
      name
    }
  }
`;
