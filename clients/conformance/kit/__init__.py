"""The conformance kit: what a client of a language is held against. See README.md."""
