// Usage: node audit.mjs URL. Prints one JSON line: every audit with its id, name, status and reason.
import { auditServer } from 'graphql-http';

const results = await auditServer({ url: process.argv[2], fetchFn: fetch });
console.log(
  JSON.stringify(results.map(({ id, name, status, reason }) => ({ id, name, status, reason: reason ?? null }))),
);
