"""What tests share: databases, fake upstreams, seeded stores, an in-process client for both doors."""
