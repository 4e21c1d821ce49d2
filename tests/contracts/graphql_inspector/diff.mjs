// Usage: node diff.mjs OLD NEW. Prints one JSON line: every change from the one SDL file to the other.
import { readFileSync } from 'node:fs';
import { diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

const [before, after] = process.argv.slice(2).map((file) => buildSchema(readFileSync(file, 'utf8')));
const changes = await diff(before, after);
console.log(
  JSON.stringify(
    changes.map(({ path, message, criticality }) => ({ path: path ?? '', message, level: criticality.level })),
  ),
);
