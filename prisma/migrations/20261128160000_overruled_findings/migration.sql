-- Findings that an author called wrong. Later texts of the session show those about the same point of the same sentence as overruled.
CREATE TABLE overruled_findings (
  tenant_id    text NOT NULL,
  session_id   text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE ON UPDATE CASCADE,
  subject      text NOT NULL,
  reason       text,
  overruled_by text NOT NULL,
  overruled_at timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, session_id, subject)
);
CREATE INDEX overruled_findings_session_id_idx ON overruled_findings (session_id);
SELECT protect_tenant_table('overruled_findings');
