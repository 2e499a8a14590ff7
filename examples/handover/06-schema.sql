-- Schema of the rate-card service, PostgreSQL 15.
CREATE SCHEMA rates;

CREATE TABLE rates.rate_cards (
    id         text PRIMARY KEY,               -- '2024-03'
    valid_from date NOT NULL,
    current    boolean NOT NULL DEFAULT false
);

-- At most one card is current.
CREATE UNIQUE INDEX rate_cards_current ON rates.rate_cards (current) WHERE current;

CREATE TABLE rates.zones (
    from_prefix text NOT NULL,                 -- 'DE-59'
    to_prefix   text NOT NULL,                 -- 'AT-'
    zone        text NOT NULL,
    PRIMARY KEY (from_prefix, to_prefix)
);

CREATE TABLE rates.brackets (
    rate_card_id text NOT NULL REFERENCES rates.rate_cards,
    zone         text NOT NULL,
    max_grams    integer NOT NULL CHECK (max_grams BETWEEN 1 AND 31500),
    price        integer NOT NULL CHECK (price > 0),   -- tenths of a cent
    PRIMARY KEY (rate_card_id, zone, max_grams)
);

CREATE TABLE rates.surcharges (
    rate_card_id text NOT NULL REFERENCES rates.rate_cards,
    code         text NOT NULL,
    kind         text NOT NULL CHECK (kind IN ('percent', 'fixed')),
    value        integer NOT NULL,             -- tenths of a per cent, or tenths of a cent
    service      text,
    valid_from   date NOT NULL,
    PRIMARY KEY (rate_card_id, code)
);

CREATE TABLE rates.imports (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    finished   timestamptz NOT NULL DEFAULT now(),
    rows       integer NOT NULL,
    status     text NOT NULL CHECK (status IN ('done', 'rejected'))
);

GRANT USAGE ON SCHEMA rates TO rate_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA rates TO rate_reader;
