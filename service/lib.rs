//! A headless board-game table: sessions of board games over gRPC.
