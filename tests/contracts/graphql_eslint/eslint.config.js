// The recommended and the Relay rules of graphql-eslint for schema.graphql, which the test writes beside this file.
import graphql from '@graphql-eslint/eslint-plugin';

export default [
  {
    files: ['**/*.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: './schema.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...graphql.configs['flat/schema-recommended'].rules,
      ...graphql.configs['flat/schema-relay'].rules,

      // An ID belongs to what can be fetched again, and the interface Node sees to it there. A speed, a damage roll
      // or a page is a part of such an object, and has no identity of its own.
      '@graphql-eslint/strict-id-in-types': 'off',

      // An armor's class, category and detail are called so by the rules and by the systems that people come from;
      // the filters of an interface carry the same names, where the prefix tells them from a weapon's.
      '@graphql-eslint/no-typename-prefix': 'off',

      // Ranked lists, and the numbered pages of events, are read forwards alone.
      '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],

      // Lists of words, parts and references are plain lists, and connections have the shortcut `nodes`. Only what
      // is paged is a connection.
      '@graphql-eslint/relay-edge-types': [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
      ],
    },
  },
];
