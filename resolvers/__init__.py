"""The answers: a question (filter, order, page) in, records out. Plain Python; no GraphQL here."""
