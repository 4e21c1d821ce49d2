import { graphql } from 'relay-runtime';

graphql`
  fragment SpellCard_spell on Spell
  @refetchable(queryName: "SpellCardRefetchQuery")
  @argumentDefinitions(withText: { type: "Boolean", defaultValue: false }) {
    name
    level
    school {
      name
    }
    description @include(if: $withText)
    source {
      licence
      attribution
    }
  }
`;
