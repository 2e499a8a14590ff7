import { detailOf, messageOf, type Detail } from '#contracts/phrases/detail.js';
import type { Phrase } from '#contracts/phrases/render.js';
import type { Database } from '#db/client.js';
import { ExtractionError } from '#extraction/errors.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { knownChunks, insertChunks, moveChunks, removeChunks, type KnownChunk } from '../store/chunks.js';
import { lockCollection } from '../store/sources.js';
import { insertSegment, markDeleted } from '../store/segments.js';
import { requireLeased, SourceLostError, type ClaimedSource } from './claim.js';
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
  serve(source: ClaimedSource): Promise<void>;
}

export interface IndexerTools {
  db: Database;
  store: ObjectStore;
  work: IndexWork;
  embedder?: PassageEmbedder;
}

/** Number of passages in a segment that is written at once; if the process dies, at most these are lost. */
const BATCH = 512;
/** Time limit of a transaction in ms. */
const TIMEOUT_MS = 60_000;

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

/**
 * Updates the index to the content of a source. It can be interrupted and repeated at any point: stored
 * passages are reused, and the new content becomes visible only as a whole.
 *
 * @throws UnreadableSourceError; SourceLostError if the lease is lost
 */
export async function indexSource(
  tools: IndexerTools,
  source: ClaimedSource,
  signal: AbortSignal,
): Promise<void> {
  const { work, embedder, db } = tools;
  const { text, reference } = await contentOf(tools, source);
  const { id: sourceId, title, givenLanguage } = source;
  const plan = await work.plan({ sourceId, text, title, givenLanguage });
  const known = new Set((await knownChunks(db, sourceId)).map(({ id }) => id));
  const fresh = plan.passages.filter(({ id }) => !known.has(id));
  for (let at = 0; at < fresh.length || at === 0; at += BATCH) {
    signal.throwIfAborted();
    const done = plan.passages.length - Math.max(0, fresh.length - at - BATCH);
    await addPassages(tools, source, text, fresh.slice(at, at + BATCH), { done, all: plan.passages.length });
  }
  const passages = plan.passages.map((passage) => ({
    id: passage.id,
    text: indexedText(text, title, passage),
  }));
  await embedder?.embedMissing(source, passages, signal);
  await putInService(db, source, plan, reference);
  await embedder?.serve(source);
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

/** Stores passages with their index segment, which is not in service yet. */
async function addPassages(
  { db, work }: IndexerTools,
  source: ClaimedSource,
  text: string,
  passages: PlannedPassage[],
  progress: { done: number; all: number },
): Promise<void> {
  const segment =
    passages.length === 0
      ? null
      : await work.build(
          passages.map((passage) => ({
            source: source.number,
            text: indexedText(text, source.title, passage),
            language: passage.language,
          })),
        );
  const languages = [...new Set(passages.map(({ language }) => language))];
  await db.$transaction(
    async (tx) => {
      await requireLeased(tx, source);
      if (segment) {
        const owner = { tenantId: source.tenantId, collectionId: source.collectionId, sourceId: source.id };
        const segmentId = await insertSegment(tx, owner, segment, languages);
        await insertChunks(tx, source, segmentId, passages, text);
      }
      await tx.$executeRaw`
        /* progress of source */ UPDATE knowledge_sources SET chunks = ${progress.all}, chunks_done = ${progress.done}, changed_at = now()
        WHERE id = ${source.id}`;
    },
    { timeout: TIMEOUT_MS, maxWait: TIMEOUT_MS },
  );
}

/**
 * Publishes the new content in one transaction: new passages become visible, old ones are removed, the rest
 * get their new positions.
 */
async function putInService(
  db: Database,
  source: ClaimedSource,
  { language, passages }: PassagePlan,
  reference: Reference,
): Promise<void> {
  const plannedById = new Map(passages.map((passage) => [passage.id, passage]));
  await db.$transaction(
    async (tx) => {
      if (!(await lockCollection(tx, source.collectionId)))
        throw new SourceLostError('the collection was deleted');
      await requireLeased(tx, source);
      const known = await knownChunks(tx, source.id);
      const removedIds = known.filter(({ id }) => !plannedById.has(id)).map(({ id }) => id);
      if (removedIds.length > 0) await markDeleted(tx, await removeChunks(tx, source.id, removedIds));
      await moveChunks(tx, source.id, keptPassages(known, plannedById));
      await tx.$executeRaw`
        /* segments in service */ UPDATE knowledge_segments SET live = true, source_id = NULL WHERE source_id = ${source.id}`;
      await tx.$executeRaw`
        /* purge old content */ INSERT INTO purges (prefix)
        SELECT ${source.textKey === null ? '' : contentFolder(source.textKey)}
        WHERE ${source.textKey !== null && contentFolder(source.textKey) !== contentFolder(source.objectKey)}
        ON CONFLICT DO NOTHING`;
      await tx.$executeRaw`
        /* source ready */ UPDATE knowledge_sources
        SET state = 'ready', problem = NULL, problem_phrase = NULL, lease_until = NULL, attempts = 0, chunks = ${passages.length}, chunks_done = ${passages.length},
            language = ${language}, file_reference = ${toJsonb(reference)}::jsonb, text_key = ${textKeyOf(source.objectKey)}, changed_at = now()
        WHERE id = ${source.id}`;
    },
    { timeout: TIMEOUT_MS, maxWait: TIMEOUT_MS },
  );
}

const keptPassages = (known: KnownChunk[], wanted: Map<string, PlannedPassage>) =>
  known.flatMap(({ id }) => wanted.get(id) ?? []);
