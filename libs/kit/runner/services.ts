import { type InThread, type RunnerServices, ToolError, type ManuscriptPort } from '../graph/ports.js';
import type { AgentRunnerSettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import { offlineChatModel } from '#llm/chat-model.js';
import { countInThread } from '#llm/count-tokens.js';
import type { HeldRun } from '#engine/kind.js';
import { ManuscriptStore, LineOutOfRangeError } from '#storage/manuscript-store.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { ChatModels } from './chat-models.js';
import { MeteredModel } from './metered-model.js';
import { SessionCheckpoints } from './session-checkpoints.js';
import { SessionInputs } from './session-inputs.js';

/**
 * Creates the services that this runner provides to all kinds.
 *
 * @param models chat models of tenants
 */
export function runnerServices(
  db: Database,
  store: ObjectStore,
  models: ChatModels,
  settings: AgentRunnerSettings,
  inThread: InThread,
): RunnerServices {
  return {
    settings: {
      decisionDeadlineSeconds: settings.DECISION_DEADLINE_SECONDS,
      maxAgentSteps: settings.MAX_AGENT_STEPS,
      readPageBytes: settings.READ_PAGE_BYTES,
    },
    inThread,
    session(run) {
      const manuscripts = new ManuscriptStore(store, run.tenantId, run.sessionId);
      return {
        title: () => titleOf(db, run),
        inputs: new SessionInputs(db, store, run.tenantId, run.sessionId, settings.READ_PAGE_BYTES),
        manuscripts: manuscriptPort(manuscripts),
        checkpoints: new SessionCheckpoints(db, store, manuscripts, run, settings.CHECKPOINTS_KEPT),
      };
    },
    async model(run, events, offline, promptVersion) {
      const priced = {
        chat: offlineChatModel(offline),
        priceOf: () => undefined,
        keepProfiles: () => Promise.resolve(),
        ...(await models.of(run.tenantId)),
        maxOutputTokens: settings.BUDGETED_ANSWER_TOKENS,
        countTokens: countInThread(inThread),
      };
      const usage = new ModelUsageRepository(db);
      const bounds = usage.begin(run.tenantId, run.id, priced.chat.label, promptVersion);
      return new MeteredModel(priced, db, run, events, bounds);
    },
  };
}

async function titleOf(
  db: Database,
  { tenantId, sessionId }: Pick<HeldRun, 'tenantId' | 'sessionId'>,
): Promise<string | null> {
  const session = await db.session.findFirst({
    where: { id: sessionId, tenantId },
    select: { title: true },
  });
  return session?.title ?? null;
}

/** Adapts the manuscript store to the document graph: reports an invalid line number as the model's error. */
export function manuscriptPort(store: ManuscriptStore): ManuscriptPort {
  return {
    append: (pointer, content) => store.append(pointer, content),
    tail: (pointer, lines) => store.tail(pointer, lines),
    lines: (pointer) => store.lines(pointer),
    describe: (pointer) => store.describe(pointer),
    editLine: (...args) => reportingRange(store.editLine(...args)),
    replaceLines: (...args) => reportingRange(store.replaceLines(...args)),
    moveLines: (...args) => reportingRange(store.moveLines(...args)),
  };
}

async function reportingRange<T>(edit: Promise<T>): Promise<T> {
  try {
    return await edit;
  } catch (error) {
    if (error instanceof LineOutOfRangeError) throw new ToolError(error.message);
    throw error;
  }
}
