import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { ScannerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import type { NotificationListener } from '#engine/events/listener.js';
import {
  claimNext,
  failSource,
  releaseSource,
  postponeSource,
  MAX_ATTEMPTS,
  renewLeases,
  retryLater,
  SourceLostError,
  type ClaimedSource,
} from '../ingest/claim.js';
import { indexBatch, UnreadableSourceError, type IndexerTools } from '../ingest/index-source.js';
import type { IndexAnswer } from '../ingest/index.worker.js';
import { mergeCollection, staleCollections } from '../ingest/merge.js';
import { INDEX_WORKER, threadedWork } from '../ingest/threaded-work.js';
import { SemanticUnavailableError } from '../search/search.js';
import { embeddingModels, EmbeddingUsage } from '../vectors/embedding-models.js';
import { PgVectorIndex } from '../vectors/pg-vector-index.js';
import { StoredEmbedder } from '../vectors/stored-embedder.js';
import { SOURCES_CHANNEL } from '../store/sources.js';
import { BUSY_STRETCH } from '#kit/runtime/computing-limit.js';
import { ExtractionPool } from '#kit/runtime/extraction-pool.js';
import { DATABASE, LISTENER, LOGGER, SETTINGS, STORE } from '#kit/runtime/infrastructure.module.js';
import { ParsingProcesses } from '#kit/runtime/parsing-processes.js';
import { ReadWriteLock } from '#engine/tasks/locks.js';
import { isOutage } from '#engine/recovery/outage.js';
import { ThreadPool } from '#kit/runtime/thread-pool.js';
import { WorkLimitError } from '#kit/runtime/work-pool.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { Logger } from '#telemetry/logger.js';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SCANNER_MB } from '#config/memory.js';

/** Time limit in ms for one step of the largest source. */
const LIMIT_MS = 300_000;
const TOO_MUCH = phrase('source_problem.too_much');
/** Interval in ms of polling for sources whose notification was missed. */
const POLL_INTERVAL_MS = 5_000;
const RENEW_MS = 10_000;
/** Delay in seconds before a source that waits for the embedding server is retried. */
const WAIT_SECONDS = 5;
/** Problem shown to the tenant for a source during an outage. */
const OUTAGE = phrase('source_problem.outage');

/**
 * Indexes the sources of all tenants (B14). The rows are the queue: a worker leases a source and writes only
 * while its epoch is current; any other worker can continue an abandoned one.
 */
@Injectable()
export class Indexer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly threads: ThreadPool;
  private readonly tools: IndexerTools;
  private readonly vectorIndex: PgVectorIndex;
  private readonly unsubscribe: (() => void)[] = [];
  private readonly loops: Promise<void>[] = [];
  private wake: (() => void)[] = [];
  /**
   * A source that may have crashed the process is indexed alone, so that it cannot take others down with it.
   */
  private readonly company = new ReadWriteLock();

  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(STORE) store: ObjectStore,
    @Inject(SETTINGS) private readonly settings: ScannerSettings,
    @Inject(LOGGER) private readonly log: Logger,
    processes: ParsingProcesses,
    @Inject(LISTENER) private readonly listener: NotificationListener,
  ) {
    this.threads = new ThreadPool({
      threads: settings.WORKER_THREADS,
      memoryMb: SCANNER_MB.index,
      stretch: BUSY_STRETCH,
    });
    const { signal } = this.stopping;
    const work = threadedWork((call) => this.threads.run<IndexAnswer>(INDEX_WORKER, call, LIMIT_MS, signal));
    const extraction = new ExtractionPool(processes);
    const extract = async (bytes: Uint8Array, name: string, tenantId: string) => {
      const input = { bytes, name, withReference: true };
      const { file = { reference: {} }, ...extracted } = await extraction.extractDecoded(
        tenantId,
        input,
        signal,
      );
      return work.tidy(extracted, file);
    };
    const embedder = new StoredEmbedder(db, embeddingModels(db, settings), new EmbeddingUsage(db));
    this.tools = { db, store, work: { ...work, extract }, embedder };
    this.vectorIndex = new PgVectorIndex(db);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.listener.listen(SOURCES_CHANNEL);
    const wake = () => this.wakeUp();
    this.unsubscribe.push(this.listener.on(SOURCES_CHANNEL, wake), this.listener.onReconnect(wake));
    for (let at = 0; at < this.settings.WORKER_CONCURRENCY; at++) this.loops.push(this.loop(at === 0));
  }

  /** Releases the sources in progress. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    for (const end of this.unsubscribe) end();
    this.wakeUp();
    await Promise.all(this.loops);
    await this.threads.close();
  }

  private wakeUp(): void {
    for (const wake of this.wake.splice(0)) wake();
  }

  /** @param polls whether the loop also looks for sources without a notification; one loop per worker does */
  private async loop(polls: boolean): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const isBusy = await this.step().catch((error: unknown) => {
        this.log.warn({ err: error }, 'failed to look for sources; will retry');
        return false;
      });
      if (!isBusy) await this.pause(polls);
    }
  }

  /** Waits until woken; if `polls`, at most for the polling interval. */
  private pause(polls: boolean): Promise<void> {
    if (this.stopping.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = polls ? setTimeout(resolve, POLL_INTERVAL_MS) : undefined;
      this.wake.push(() => (clearTimeout(timer), resolve()));
    });
  }

  private async step(): Promise<boolean> {
    const sources = await claimNext(this.db);
    if (sources.length > 0) {
      // There may be more, for the loops that do not poll.
      this.wakeUp();
      await this.index(sources);
      return true;
    }
    for (const collection of await staleCollections(this.db)) await mergeCollection(this.tools, collection);
    for (const collection of await this.vectorIndex.unfilled()) await this.vectorIndex.fill(collection);
    return false;
  }

  /** @param sources of one collection; several only at their first attempt */
  private async index(sources: ClaimedSource[]): Promise<void> {
    const { attempts, collectionId } = sources[0]!;
    if (attempts > MAX_ATTEMPTS) return failSource(this.db, sources[0]!, TOO_MUCH);
    const leaseLost = new AbortController();
    const signal = AbortSignal.any([leaseLost.signal, this.stopping.signal]);
    const renewal = setInterval(() => {
      renewLeases(this.db, sources).then(
        (held) => held > 0 || leaseLost.abort(new SourceLostError('the leases of the sources were lost')),
        () => undefined,
      );
    }, RENEW_MS);
    const leave = await this.company.enter(attempts === 1 ? 'together' : 'alone');
    try {
      const errors = await indexBatch(this.tools, sources, signal);
      for (const source of sources)
        if (errors.has(source.id)) await this.settle(source, errors.get(source.id));
      await mergeCollection(this.tools, collectionId);
      await this.vectorIndex.fill(collectionId);
    } catch (error) {
      for (const source of sources) await this.settle(source, error, sources.length > 1);
    } finally {
      leave();
      clearInterval(renewal);
    }
  }

  /** @param isShared whether any of several sources may have caused the error; then each is tried alone */
  private async settle(source: ClaimedSource, error: unknown, isShared = false): Promise<void> {
    if (error instanceof SourceLostError) return;
    if (this.stopping.signal.aborted) return releaseSource(this.db, source);
    if (error instanceof UnreadableSourceError) return failSource(this.db, source, detailOf(error));
    if (error instanceof WorkLimitError && !isShared) return failSource(this.db, source, TOO_MUCH);
    if (error instanceof SemanticUnavailableError)
      return postponeSource(this.db, source, detailOf(error), WAIT_SECONDS);
    this.log.warn({ err: error, source_id: source.id }, 'failed to index a source; will retry');
    // An outage is not the source's fault, so it does not count as an attempt.
    if (isOutage(error)) return postponeSource(this.db, source, OUTAGE, WAIT_SECONDS);
    await retryLater(this.db, source);
  }
}
