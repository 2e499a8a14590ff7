-- Announces a change of a source in the transaction of the change, so that exactly the committed changes are announced: to
-- clients that follow the collection, and as deliveries to webhooks.
CREATE OR REPLACE FUNCTION tell_of_source() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  source knowledge_sources := coalesce(NEW, OLD);
BEGIN
  PERFORM pg_notify('scriptorium_source_events', source.collection_id || ' ' || source.id);
  IF TG_OP = 'UPDATE' AND NEW.state IN ('ready', 'failed') AND NEW.state <> OLD.state THEN
    INSERT INTO webhook_deliveries (webhook_id, source_id, collection_id, seq, tenant_id, event, source_state, at)
      SELECT id, NEW.id, NEW.collection_id, NEW.epoch, NEW.tenant_id, 'source_' || NEW.state, NEW.state, NEW.changed_at FROM webhooks
      WHERE tenant_id = NEW.tenant_id AND 'source_' || NEW.state = ANY (events)
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
