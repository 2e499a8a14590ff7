import type { Chance } from './random.js';
import type { When } from '#testing/faults/commit-signals.js';

const DELETION = 'deletion is done again until nothing is left: test/security/deletion.spec.ts';
const ADMINISTRATION = 'one transaction of the admin, outside of any run';
const CHECKPOINTER = 'no process of the product calls deleteThread; the conformance suite of LangGraph does';
const BUDGETS = 'runs under a budget: libs/db/src/repositories/model-usage.spec.ts';
const HISTORY = 'one transaction of a fork or a restore: libs/run-engine/src/history/copies.spec.ts';
const RETENTION =
  'more checkpoints than these runs make: apps/agent-runner/src/document/session-checkpoints.spec.ts';
const WEBHOOKS = 'a tenant with webhooks: test/e2e/webhooks.spec.ts';
const DECISIONS = 'early answers and quorums: libs/run-engine/src/decisions/decisions.spec.ts';

const BOOKS = 'a person edits a book, in one transaction: test/e2e/books-api.spec.ts';
const PLANS = 'runs of kind plan: test/e2e/plan-crashes.spec.ts';

/** Commit points that no document run passes, and why: a new one has to be reached by the harness or to stand here. */
export const COVERED_ELSEWHERE: Readonly<Record<string, string>> = {
  'DELETE graph_blobs': DELETION,
  'DELETE graph_checkpoints': DELETION,
  'DELETE graph_writes': DELETION,
  'DELETE purges': DELETION,
  'DELETE remembered_decisions': DELETION,
  'DELETE session_files': DELETION,
  'DELETE sessions': DELETION,
  'DELETE tenants': DELETION,
  'INSERT purges': DELETION,
  'UPDATE session_files': DELETION,
  'forget answers': DELETION,
  'DELETE exports': HISTORY,
  'DELETE session_copies': HISTORY,
  'INSERT graph_blobs': HISTORY,
  'INSERT graph_checkpoints': HISTORY,
  'INSERT run_events': HISTORY,
  'INSERT runs': HISTORY,
  'INSERT session_copies': HISTORY,
  'INSERT tasks': HISTORY,
  'DELETE named_checkpoints': RETENTION,
  'add plan command': PLANS,
  'take plan commands': PLANS,
  'keep lesson': PLANS,
  'learn lesson': PLANS,
  'learn edges': PLANS,
  'learn requests': PLANS,
  'put off lesson': PLANS,
  'DELETE tool_edges': 'one transaction of the tenant, outside of any run',
  'DELETE tool_requests': 'one transaction of the tenant, outside of any run',
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
  'UPDATE webhook_deliveries': WEBHOOKS,
  'UPDATE webhooks': WEBHOOKS,
  'INSERT api_keys': ADMINISTRATION,
  'INSERT tenants': ADMINISTRATION,
  'UPDATE tenants': ADMINISTRATION,
  'give reservation back': BUDGETS,
  'reserve model call': BUDGETS,
  'set budget': BUDGETS,
  'reopen task': 'a wish of the operator, one statement: libs/run-engine/src/poison.spec.ts',
  'UPDATE early_answers': DECISIONS,
  'cast vote': DECISIONS,
  'UPDATE sessions': HISTORY,
  'prune runs': 'runs of more than 30 seconds: libs/run-engine/src/sweep.spec.ts',
  'delete graph blobs': CHECKPOINTER,
  'delete graph checkpoints': CHECKPOINTER,
  'delete graph writes': CHECKPOINTER,
  'keep early answer': DECISIONS,
  'move result': 'a rollback by a person between runs, one statement: test/e2e/results.spec.ts',
  'redeem link': 'signing a browser in, one statement: test/studio/sign-in.spec.ts',
  'touch book': BOOKS,
  'number chapters': BOOKS,
};

/** A moment at which a process is to die. */
export interface Moment {
  when: When;
  point: string;
}

/** Deals every commit point, before and after, in an order of the seed; then all over again. */
export class CommitPointDeck {
  /** When each point was dealt for the first time, in milliseconds. */
  readonly dealt = new Map<string, number>();
  private cards: Moment[] = [];

  constructor(private readonly points: readonly string[]) {}

  deal(chance: Chance): Moment {
    if (this.cards.length === 0) {
      const all = this.points
        .filter((point) => !(point in COVERED_ELSEWHERE))
        .flatMap((point): Moment[] => [
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
