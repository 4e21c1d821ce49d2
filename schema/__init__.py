"""The public vocabulary: GraphQL types, inputs and root fields, and their descriptions."""
