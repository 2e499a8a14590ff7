import type { Database } from '#db/client.js';
import { ExtractionError } from '#extraction/extract.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { knownChunks, insertChunks, moveChunks, removeChunks, type KnownChunk } from '../store/chunks.js';
import { lockCollection } from '../store/lock.js';
import { insertSegment, markGone } from '../store/segments.js';
import { requireHeld, SourceLostError, type ClaimedSource } from './claim.js';
import { contentFolder, textKeyOf } from './keys.js';
import { indexedText, type PassagePlan, type PlannedPassage } from './passages.js';
import type { IndexWork } from './work.js';

/** Embeds passages that have no vector of the model in use yet. */
export interface PassageEmbedder {
  /**
   * @param passages all passages of the source, with what is embedded of each
   * @throws SemanticUnavailableError when the endpoint does not answer now
   */
  embedMissing(
    source: ClaimedSource,
    passages: { id: string; text: string }[],
    signal: AbortSignal,
  ): Promise<void>;
  /** Puts the vectors of the model in use into service once no passage of the collection lacks one. */
  serve(collectionId: string): Promise<void>;
}

export interface IndexerTools {
  db: Database;
  store: ObjectStore;
  work: IndexWork;
  embedder?: PassageEmbedder;
}

/** Passages of a segment that is written at once: what is lost at most when the process dies. */
const BATCH = 512;
/** Milliseconds that a commit may take. */
const TIMEOUT_MS = 60_000;

/** A source whose text cannot be had, with the reason for a person. */
export class UnreadableSourceError extends Error {
  override readonly name = 'UnreadableSourceError';
}

/**
 * Brings what is in service of a source in line with its content. May be ended anywhere and be done again: passages that were
 * written are not made anew, and nothing of the new content is found before all of it is.
 *
 * @throws UnreadableSourceError; SourceLostError when another worker holds the source by now
 */
export async function indexSource(
  tools: IndexerTools,
  source: ClaimedSource,
  signal: AbortSignal,
): Promise<void> {
  const { work, embedder, db } = tools;
  const text = await textOf(tools, source);
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
  await putInService(db, source, plan);
  await embedder?.serve(source.collectionId);
}

/** The text of the source, extracted once and kept beside its bytes. */
async function textOf(
  { store, work }: IndexerTools,
  { objectKey, name, tenantId }: ClaimedSource,
): Promise<string> {
  const textKey = textKeyOf(objectKey);
  try {
    if (await store.head(textKey)) return Buffer.from(await store.getBytes(textKey)).toString('utf8');
    const text = await work.extract(await store.getBytes(objectKey), name, tenantId);
    await store.put(textKey, Buffer.from(text), { contentType: 'text/plain; charset=utf-8' });
    return text;
  } catch (error) {
    if (error instanceof ExtractionError) throw new UnreadableSourceError(error.message);
    // Its content was replaced or it was deleted, and with it the bytes.
    if (error instanceof ObjectNotFoundError) throw new SourceLostError('the bytes of the source are gone');
    throw error;
  }
}

/** Writes passages with their part of the index, which is not in service yet. */
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
      await requireHeld(tx, source);
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

/** In one transaction what is new is found, what is gone is not, and what stayed is known by its new place. */
async function putInService(
  db: Database,
  source: ClaimedSource,
  { language, passages }: PassagePlan,
): Promise<void> {
  const wanted = new Map(passages.map((passage) => [passage.id, passage]));
  await db.$transaction(
    async (tx) => {
      if (!(await lockCollection(tx, source.collectionId)))
        throw new SourceLostError('the collection is gone');
      await requireHeld(tx, source);
      const known = await knownChunks(tx, source.id);
      const gone = known.filter(({ id }) => !wanted.has(id)).map(({ id }) => id);
      if (gone.length > 0) await markGone(tx, await removeChunks(tx, source.id, gone));
      await moveChunks(tx, source.id, kept(known, wanted));
      await tx.$executeRaw`
        /* segments in service */ UPDATE knowledge_segments SET live = true, source_id = NULL WHERE source_id = ${source.id}`;
      await tx.$executeRaw`
        /* purge old content */ INSERT INTO purges (prefix)
        SELECT ${source.textKey === null ? '' : contentFolder(source.textKey)}
        WHERE ${source.textKey !== null && contentFolder(source.textKey) !== contentFolder(source.objectKey)}
        ON CONFLICT DO NOTHING`;
      await tx.$executeRaw`
        /* source ready */ UPDATE knowledge_sources
        SET state = 'ready', problem = NULL, lease_until = NULL, attempts = 0, chunks = ${passages.length}, chunks_done = ${passages.length},
            language = ${language}, text_key = ${textKeyOf(source.objectKey)}, changed_at = now()
        WHERE id = ${source.id}`;
    },
    { timeout: TIMEOUT_MS, maxWait: TIMEOUT_MS },
  );
}

const kept = (known: KnownChunk[], wanted: Map<string, PlannedPassage>) =>
  known.flatMap(({ id }) => wanted.get(id) ?? []);
