"""Play board games on a Tavola server."""
