import type { Chance } from './random.js';
import type { When } from '#testing/faults/commit-signals.js';

const DELETION = 'deletion is done again until nothing is left: test/security/deletion.system.spec.ts';
const ADMINISTRATION = 'one transaction of the admin, outside of any run';
const CHECKPOINTER = 'no process of the product calls deleteThread; the conformance suite of LangGraph does';
const BUDGETS = 'runs under a budget: libs/db/repositories/model-usage.spec.ts';
const HISTORY = 'one transaction of a fork or a restore: libs/engine/history/copies.spec.ts';
const RETENTION =
  'more checkpoints than these runs make: apps/agent-runner/src/document/session-checkpoints.spec.ts';
const WEBHOOKS = 'a tenant with webhooks: test/e2e/webhooks.spec.ts';
const SCHEDULES = 'failed and repeated before and after each: libs/gateway/schedules/schedule-clock.spec.ts';
const MCP = 'a tenant with MCP servers: test/e2e/mcp-servers.system.spec.ts';
const DECISIONS = 'early answers and quorums: libs/engine/decisions/decisions.spec.ts';

const BOOKS = 'a person edits a book, in one transaction: test/e2e/books-api.spec.ts';
const RULINGS = 'a person calls a finding wrong, in one transaction: test/e2e/books-findings.spec.ts';
const INDEXING =
  'killed at every statement of indexing and merging: libs/knowledge/ingest/killed.system.spec.ts';
const READING = 'a statement that only reads';
const VECTORS = 'an embedding model: libs/knowledge/vectors/vectors.spec.ts';
const OAUTH = 'letting an MCP client in: test/security/oauth.spec.ts';
const SIGN_IN = 'signing a browser in: test/studio/sign-in.spec.ts';

/**
 * Work of the clients during faults: document runs with a model, or knowledge sources, books, plans and articles
 * without one.
 */
export const WORKS = ['documents', 'others'] as const;
export type Work = (typeof WORKS)[number];

/** Commit points that only knowledge sources, books, plans and articles pass, not document runs. */
export const OF_OTHERS: readonly string[] = [
  'INSERT sessions',
  'INSERT book_projects',
  'INSERT article_log',
  'INSERT book_chapters',
  'INSERT book_chapter_versions',
  'UPDATE book_projects',
  'UPDATE book_chapters',
  'INSERT knowledge_collections',
  'INSERT knowledge_sources',
  'UPDATE knowledge_sources',
  'queue sources',
  'claim source',
  'claim source by id',
  'hold source',
  'insert segment',
  'insert postings',
  'insert chunks',
  'mark passages as gone',
  'remove chunks',
  'move chunks',
  'progress of source',
  'segments in service',
  'purge old content',
  'source ready',
  'lock collection',
  'segments to merge',
  'try to lock collection',
  'move passages',
  'remove merged segments',
  'add plan command',
  'refuse plan command',
  'close plan commands',
  'take plan commands',
  'record call',
  'keep lesson',
  'learn lesson',
  'learn edges',
  'learn requests',
];
/** Commit points of every run, at which processes also die during other work. */
export const OF_EVERY_RUN: readonly string[] = [
  'start run',
  'dispatch runs',
  'claim run',
  'commit step',
  'pause run',
  'begin attempt',
  'complete task',
  'resume runs',
  'finish run',
  'INSERT exports',
];

const of = (reason: string, points: string[]) => Object.fromEntries(points.map((point) => [point, reason]));

/**
 * Commit points that no work of the harness passes, with the reason. A new commit point must be reached by the harness
 * or listed here.
 */
export const COVERED_ELSEWHERE: Readonly<Record<string, string>> = {
  'DELETE graph_blobs': DELETION,
  'DELETE graph_checkpoints': DELETION,
  'DELETE graph_writes': DELETION,
  'DELETE purges': DELETION,
  'DELETE remembered_decisions': DELETION,
  'DELETE session_files': DELETION,
  'DELETE sessions': DELETION,
  'DELETE tenants': DELETION,
  'INSERT audit_log': DELETION,
  'INSERT purges': DELETION,
  'UPDATE session_files': DELETION,
  'forget answers': DELETION,
  'forget counts': DELETION,
  'DELETE exports': HISTORY,
  'DELETE session_copies': HISTORY,
  'INSERT graph_blobs': HISTORY,
  'INSERT graph_checkpoints': HISTORY,
  'INSERT named_checkpoints': HISTORY,
  'INSERT run_events': HISTORY,
  'INSERT runs': HISTORY,
  'INSERT session_copies': HISTORY,
  'INSERT session_results': HISTORY,
  'INSERT tasks': HISTORY,
  'DELETE named_checkpoints': RETENTION,
  'give back unserved': 'runners of two releases: libs/engine/recovery/rolling-upgrade.system.spec.ts',
  'tell parent': 'a child run that waits for a person: libs/engine/kinds.spec.ts',
  'append event':
    'what a tool says of its progress, and a lesson that cannot be stored: test/e2e/plan-crashes.system.spec.ts',
  'put off lesson': 'a lesson that cannot be stored: test/e2e/plan-crashes.system.spec.ts',
  'bind plan command': 'a command that answers an agent’s decision: test/e2e/plan-points.spec.ts',
  'DELETE tool_edges': 'one transaction of the tenant, outside of any run',
  'DELETE tool_requests': 'one transaction of the tenant, outside of any run',
  'INSERT links': 'one transaction of the tenant, outside of any run',
  'DELETE links': 'one transaction of the tenant, outside of any run',
  'INSERT comments': 'one transaction of the tenant, outside of any run',
  'UPDATE comments': 'one transaction of the tenant, outside of any run',
  'DELETE comments': 'one transaction of the tenant, outside of any run',
  'INSERT word_templates': 'one transaction of the tenant, outside of any run',
  'DELETE word_templates': 'one transaction of the tenant, outside of any run',
  'INSERT schedules': SCHEDULES,
  'UPDATE schedules': SCHEDULES,
  'DELETE schedules': SCHEDULES,
  'INSERT schedule_firings': SCHEDULES,
  'UPDATE schedule_firings': SCHEDULES,
  'claim due schedules': SCHEDULES,
  'claim firings': SCHEDULES,
  'sweep firings': SCHEDULES,
  'DELETE webhooks': WEBHOOKS,
  'claim webhook deliveries': WEBHOOKS,
  'claim webhooks to scan': WEBHOOKS,
  'collect for webhooks': WEBHOOKS,
  'end scan of webhooks': WEBHOOKS,
  'give webhook back': WEBHOOKS,
  'settle webhook delivered': WEBHOOKS,
  'settle webhook failed': WEBHOOKS,
  'settle webhook retried': WEBHOOKS,
  'INSERT webhooks': WEBHOOKS,
  'retry deliveries': WEBHOOKS,
  'UPDATE webhooks': WEBHOOKS,
  ...of(MCP, [
    'INSERT mcp_servers',
    'UPDATE mcp_servers',
    'DELETE mcp_servers',
    'UPDATE mcp_tools',
    'approve mcp tools',
    'take mcp servers',
    'keep mcp tool',
    'mcp server is ready',
    'mcp server failed',
    'note mcp call',
  ]),
  'INSERT api_keys': ADMINISTRATION,
  'INSERT tenants': ADMINISTRATION,
  'UPDATE tenants': ADMINISTRATION,
  'give reservation back': BUDGETS,
  'reserve model call': BUDGETS,
  'set budget': BUDGETS,
  'reopen task': 'a wish of the operator, one statement: libs/engine/tasks/poison.spec.ts',
  'UPDATE early_answers': DECISIONS,
  'cast vote': DECISIONS,
  'mark early vote': DECISIONS,
  'give request up': 'a request that is refused: test/e2e/idempotency.spec.ts',
  'UPDATE sessions': HISTORY,
  'prune runs': 'runs of more than 30 seconds: libs/engine/recovery/sweep.spec.ts',
  'delete graph blobs': CHECKPOINTER,
  'delete graph checkpoints': CHECKPOINTER,
  'delete graph writes': CHECKPOINTER,
  'keep early answer': DECISIONS,
  'move result': 'a rollback by a person between runs, one statement: test/e2e/results.spec.ts',
  'redeem link': SIGN_IN,
  'INSERT oauth_secrets': OAUTH,
  'use oauth secret': OAUTH,
  'end oauth grant': OAUTH,
  'DELETE oauth_secrets': OAUTH,
  'INSERT sign_in_links': SIGN_IN,
  'DELETE sign_in_links': SIGN_IN,
  'INSERT web_sessions': SIGN_IN,
  'DELETE web_sessions': SIGN_IN,
  'touch book': BOOKS,
  'number chapters': BOOKS,
  'INSERT overruled_findings': RULINGS,
  'DELETE overruled_findings': RULINGS,
  'UPDATE book_chapter_versions': RULINGS,
  'DELETE book_chapters': BOOKS,
  'DELETE knowledge_collections': DELETION,
  'UPDATE knowledge_collections': 'a name that a person gives',
  'purge collection': DELETION,
  'delete source': DELETION,
  'delete passages of source': DELETION,
  ...of(INDEXING, [
    'fail source',
    'give source back',
    'let source wait',
    'renew lease of source',
    'retry source',
    'stale collections',
  ]),
  ...of(READING, [
    'chunks of a source',
    'collections of a run',
    'early answers that wait',
    'find api key',
    'found passages',
    'live segments',
    'load segment',
    'passages of a book',
    'places of passages',
    'read postings',
    'searched collections',
    'sources by filters',
    'sources that wait',
    'sources to come',
    'stems of a segment',
  ]),
  ...of(VECTORS, [
    'embedded chunks',
    'enter embedding call',
    'insert vectors',
    'read vectors',
    'state of vectors',
    'vectors in service',
    'can there be pgvector',
    'collections to index by pgvector',
    'index vectors',
    'is there pgvector',
    'nearest by pgvector',
    'vectors indexed',
    'vectors to index',
  ]),
};

/** Whether the work reaches a commit point, so that a process can be made to die there. */
export function isPassed(point: string, work: Work): boolean {
  if (work === 'others') return OF_OTHERS.includes(point) || OF_EVERY_RUN.includes(point);
  return !OF_OTHERS.includes(point) && !(point in COVERED_ELSEWHERE);
}

/** A commit point, and whether a process dies before or after it. */
export interface Moment {
  when: When;
  point: string;
}

/** Returns every commit point, before and after, in an order derived from the seed; then starts again. */
export class CommitPointDeck {
  /** Time in ms at which each point was first returned. */
  readonly dealt = new Map<string, number>();
  private cards: Moment[] = [];

  constructor(private readonly points: readonly string[]) {}

  deal(chance: Chance): Moment {
    if (this.cards.length === 0) {
      const all = this.points.flatMap((point): Moment[] => [
        { when: 'before', point },
        { when: 'after', point },
      ]);
      this.cards = chance.shuffle(all);
    }
    const card = this.cards.pop()!;
    if (!this.dealt.has(card.point)) this.dealt.set(card.point, Date.now());
    return card;
  }
}
