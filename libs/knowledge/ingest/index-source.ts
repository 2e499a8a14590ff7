import { detailOf, messageOf, type Detail } from '#contracts/phrases/detail.js';
import type { Phrase } from '#contracts/phrases/render.js';
import type { Database } from '#db/client.js';
import { ExtractionError } from '#extraction/errors.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { knownChunks, insertChunks, moveChunks, removeChunks } from '../store/chunks.js';
import { lockCollection } from '../store/sources.js';
import { insertSegments, markDeleted } from '../store/segments.js';
import { lockLeased, SourceLostError, type ClaimedSource } from './claim.js';
import { contentFolder, detailsKeyOf, textKeyOf } from './keys.js';
import { indexedText, type PassagePlan, type PlannedPassage } from './passages.js';
import { parseDetails, type IndexWork, type SourceContent } from './work.js';
import type { Reference } from '#contracts/bibliography.js';
import { toJsonb } from '#db/jsonb.js';

/** Embeds passages that lack a vector of the tenant's current model; does nothing if the tenant has none. */
export interface PassageEmbedder {
  /**
   * @param passages all passages of the source, with the texts to embed
   * @throws SemanticUnavailableError if the endpoint does not respond now
   */
  embedMissing(
    source: ClaimedSource,
    passages: { id: string; text: string }[],
    signal: AbortSignal,
  ): Promise<void>;
  /** Puts the vectors of the current model into service once every passage of the collection has one. */
  serve(source: Pick<ClaimedSource, 'tenantId' | 'collectionId'>): Promise<void>;
}

export interface IndexerTools {
  db: Database;
  store: ObjectStore;
  work: IndexWork;
  embedder?: PassageEmbedder;
}

/** Number of passages that are written at once; if the process dies, at most these are lost. */
const BATCH = 512;
/** Time limits of a transaction in ms. */
const LIMITS = { timeout: 60_000, maxWait: 60_000 };

/** The text of a source cannot be extracted or embedded; the message explains the reason to a person. */
export class UnreadableSourceError extends Error {
  override readonly name = 'UnreadableSourceError';
  readonly phrase: Phrase | undefined;

  constructor(detail: Detail) {
    const { message, phrase } = messageOf(detail);
    super(message);
    this.phrase = phrase;
  }
}

/** A source with its new passages. */
interface PreparedSource extends PassagePlan {
  source: ClaimedSource;
  text: string;
  reference: Reference;
  /** Passages that are not stored yet. */
  fresh: PlannedPassage[];
}

/**
 * Updates the index to the content of a source.
 *
 * @throws UnreadableSourceError; SourceLostError if the lease is lost
 */
export async function indexSource(
  tools: IndexerTools,
  source: ClaimedSource,
  signal: AbortSignal,
): Promise<void> {
  for (const error of (await indexBatch(tools, [source], signal)).values()) throw error;
}

/**
 * Updates the index to the contents of sources of one collection, with the same statements for all. It can be
 * interrupted and repeated at any point: stored passages are reused, and the new content of a source becomes
 * visible only as a whole.
 *
 * @returns the errors by the IDs of the sources that could not be indexed: UnreadableSourceError,
 * SourceLostError if the lease is lost, or errors of the tools
 * @throws an error that concerns all sources
 */
export async function indexBatch(
  tools: IndexerTools,
  sources: ClaimedSource[],
  signal: AbortSignal,
): Promise<Map<string, Error>> {
  const errors = new Map<string, Error>();
  const attempt = async <T>(source: ClaimedSource, work: () => Promise<T>): Promise<T[]> => {
    if (errors.has(source.id)) return [];
    try {
      return [await work()];
    } catch (error) {
      errors.set(source.id, error as Error);
      return [];
    }
  };
  const contents = await Promise.all(
    sources.map((source) => attempt(source, async () => ({ source, ...(await contentOf(tools, source)) }))),
  );
  const prepared = await prepare(tools, contents.flat());
  const requireHeld = (written: PreparedSource[], held: Set<string>) => {
    for (const { id } of written.map(({ source }) => source))
      if (!held.has(id) && !errors.has(id))
        errors.set(id, new SourceLostError('the lease of the source was lost'));
  };
  const remaining = () => prepared.filter(({ source }) => !errors.has(source.id));
  for (const parts of partsOf(prepared)) {
    signal.throwIfAborted();
    requireHeld(parts, await addPassages(tools, parts));
  }
  /** Error of the embedding server, which all sources share: each further question might wait a minute for it. */
  let outage: Error | undefined;
  for (const { source, text, passages } of tools.embedder ? remaining() : []) {
    const texts = passages.map((passage) => ({
      id: passage.id,
      text: indexedText(text, source.title, passage),
    }));
    await attempt(source, async () => {
      if (outage) throw outage;
      await tools.embedder!.embedMissing(source, texts, signal);
    });
    const error = errors.get(source.id);
    if (!(error instanceof SourceLostError || error instanceof UnreadableSourceError)) outage = error;
  }
  if (remaining().length > 0) {
    requireHeld(prepared, await putInService(tools.db, remaining()));
    await tools.embedder?.serve(sources[0]!);
  }
  return errors;
}

/** Cuts sources into passages. */
async function prepare(
  { db, work }: IndexerTools,
  contents: (SourceContent & { source: ClaimedSource })[],
): Promise<PreparedSource[]> {
  if (contents.length === 0) return [];
  const plans = await work.plan(
    contents.map(({ text, source: { id, title, givenLanguage } }) => ({
      sourceId: id,
      text,
      title,
      givenLanguage,
    })),
  );
  const known = await knownChunks(
    db,
    contents.map(({ source }) => source.id),
  );
  return contents.map(({ source, text, reference }, at) => {
    const plan = plans[at]!;
    return { ...plan, source, text, reference, fresh: plan.passages.filter(({ id }) => !known.has(id)) };
  });
}

/** Returns the content of the source, which is extracted once and stored next to its bytes. */
async function contentOf(
  { store, work }: IndexerTools,
  { objectKey, name, tenantId }: ClaimedSource,
): Promise<SourceContent> {
  const [textKey, detailsKey] = [textKeyOf(objectKey), detailsKeyOf(objectKey)];
  try {
    // Stored after the text. Content that an older release extracted has none, and is extracted again.
    if (await store.head(detailsKey)) {
      const [text, details] = await Promise.all([store.getBytes(textKey), store.getBytes(detailsKey)]);
      const { reference, pages } = parseDetails(details);
      return { text: Buffer.from(text).toString('utf8'), reference, pages };
    }
    const { text, ...details } = await work.extract(await store.getBytes(objectKey), name, tenantId);
    await store.put(textKey, Buffer.from(text), { contentType: 'text/plain; charset=utf-8' });
    await store.put(detailsKey, Buffer.from(JSON.stringify(details)), { contentType: 'application/json' });
    return { text, ...details };
  } catch (error) {
    if (error instanceof ExtractionError) throw new UnreadableSourceError(detailOf(error));
    // The content was replaced or the source deleted, together with its bytes.
    if (error instanceof ObjectNotFoundError)
      throw new SourceLostError('the content of the source was deleted');
    throw error;
  }
}

/** Passages of a source that are written at once. */
interface Part extends PreparedSource {
  batch: PlannedPassage[];
  /** Number of the source's passages that are then stored. */
  done: number;
}

/** Yields the passages to store, in groups of parts of different sources. A part without passages reports progress. */
function* partsOf(prepared: PreparedSource[]): Generator<Part[]> {
  let parts: Part[] = [];
  let size = 0;
  for (const one of prepared) {
    for (let at = 0; at < one.fresh.length || at === 0; at += BATCH) {
      const batch = one.fresh.slice(at, at + BATCH);
      if (size + batch.length > BATCH) {
        yield parts;
        [parts, size] = [[], 0];
      }
      const done = one.passages.length - Math.max(0, one.fresh.length - at - BATCH);
      parts.push({ ...one, batch, done });
      size += batch.length;
    }
  }
  if (parts.length > 0) yield parts;
}

/**
 * Stores passages with their index segments, which are not in service yet.
 *
 * @returns the IDs of the sources whose leases are valid; nothing is stored for the others
 */
async function addPassages({ db, work }: IndexerTools, parts: Part[]): Promise<Set<string>> {
  const filled = parts.filter(({ batch }) => batch.length > 0);
  const segments = await work.build(
    filled.map(({ source, text, batch }) =>
      batch.map((passage) => ({
        source: source.number,
        text: indexedText(text, source.title, passage),
        language: passage.language,
      })),
    ),
  );
  const built = filled.map(({ source, text, batch }, at) => ({
    ...segments[at]!,
    sourceId: source.id,
    languages: [...new Set(batch.map(({ language }) => language))],
    chunks: batch,
    text,
  }));
  return db.$transaction(async (tx) => {
    const held = await lockLeased(
      tx,
      parts.map(({ source }) => source),
    );
    const stored = built.filter(({ sourceId }) => held.has(sourceId));
    if (stored.length > 0)
      await insertChunks(tx, parts[0]!.source, stored, await insertSegments(tx, parts[0]!.source, stored));
    const leased = parts.filter(({ source }) => held.has(source.id));
    await tx.$executeRaw`
      /* progress of source */ UPDATE knowledge_sources s SET chunks = p.chunks, chunks_done = p.done, changed_at = now()
      FROM unnest(${leased.map(({ source }) => source.id)}::text[], ${leased.map(({ passages }) => passages.length)}::int[],
                  ${leased.map(({ done }) => done)}::int[]) AS p (id, chunks, done) WHERE s.id = p.id`;
    return held;
  }, LIMITS);
}

/**
 * Publishes the new content of sources in one transaction: new passages become visible, old ones are removed,
 * the rest get their new positions.
 *
 * @returns the IDs of the sources whose leases are valid; the others stay as they are
 */
async function putInService(db: Database, prepared: PreparedSource[]): Promise<Set<string>> {
  return db.$transaction(async (tx) => {
    if (!(await lockCollection(tx, prepared[0]!.source.collectionId)))
      throw new SourceLostError('the collection was deleted');
    const held = await lockLeased(
      tx,
      prepared.map(({ source }) => source),
    );
    const sources = prepared.filter(({ source }) => held.has(source.id));
    const ids = [...held];
    const planned = new Set(sources.flatMap(({ passages }) => passages.map(({ id }) => id)));
    const removed = [...(await knownChunks(tx, ids))].filter((id) => !planned.has(id));
    if (removed.length > 0) await markDeleted(tx, await removeChunks(tx, removed));
    const isFresh = new Set(sources.flatMap(({ fresh }) => fresh));
    await moveChunks(
      tx,
      sources.flatMap(({ passages }) => passages.filter((passage) => !isFresh.has(passage))),
    );
    await tx.$executeRaw`
      /* segments in service */ UPDATE knowledge_segments SET live = true, source_id = NULL WHERE source_id = ANY(${ids})`;
    const replaced = sources.flatMap(({ source: { textKey, objectKey } }) =>
      textKey !== null && contentFolder(textKey) !== contentFolder(objectKey) ? [contentFolder(textKey)] : [],
    );
    if (replaced.length > 0)
      await tx.$executeRaw`
        /* purge old content */ INSERT INTO purges (prefix) SELECT unnest(${replaced}::text[]) ON CONFLICT DO NOTHING`;
    const rows = sources.map(({ source: { id, objectKey }, passages, language, reference }) => ({
      id,
      chunks: passages.length,
      language,
      reference,
      textKey: textKeyOf(objectKey),
    }));
    await tx.$executeRaw`
      /* source ready */ UPDATE knowledge_sources s
      SET state = 'ready', problem = NULL, problem_phrase = NULL, lease_until = NULL, attempts = 0, chunks = r.chunks, chunks_done = r.chunks,
          language = r.language, file_reference = r.reference, text_key = r."textKey", changed_at = now()
      FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS r (id text, chunks int, language text, reference jsonb, "textKey" text)
      WHERE s.id = r.id`;
    return held;
  }, LIMITS);
}
