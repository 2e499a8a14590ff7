import 'reflect-metadata';
import { agentRunnerSettings, loadSettings, type AgentRunnerSettings } from '#config/settings.js';
import { NotificationListener } from '#events/listener.js';
import { knownKinds } from '#kinds/registry.js';
import { createChatModel, type ChatModelConfig } from '#llm/chat-model.js';
import { CANCEL_CHANNEL } from '#run-engine/event-log.js';
import { startDeadlineWorker } from '#run-engine/deadline-worker.js';
import { RunWorker } from '#run-engine/run-worker.js';
import { openInfrastructure } from '#runtime/infrastructure.module.js';
import { main, sayReady, stopOnSignal } from '#runtime/main.js';
import { serveOwnMetrics } from '#runtime/own-metrics.js';
import { servedKinds } from './kinds.js';
import { RunnerThreads } from './ports/runner-threads.js';
import { runnerServices } from './services.js';

main(async () => {
  const settings = loadSettings(agentRunnerSettings, process.env);
  const infrastructure = await openInfrastructure('agent-runner', settings, knownKinds);
  const { log, db, store, engine } = infrastructure;
  const apiKey = settings.OPENAI_API_KEY;
  const chat = apiKey === undefined ? null : createChatModel({ ...modelOf(settings), apiKey });
  const threads = new RunnerThreads(settings.AGENT_CONCURRENCY);
  const kinds = servedKinds(runnerServices(db, store, chat, settings, threads.run), { db, store });
  const listener = new NotificationListener(settings.DATABASE_URL, [CANCEL_CHANNEL]);
  await listener.start();
  const runs = new RunWorker(engine, kinds, settings.AGENT_CONCURRENCY, settings.UNSERVED_SECONDS);
  listener.on(CANCEL_CHANNEL, (runId) => runs.cancel(runId));
  const deadlines = startDeadlineWorker(engine);
  const stopMetrics = await serveOwnMetrics('agent-runner', settings, infrastructure);
  stopOnSignal(log, async () => {
    await Promise.all([runs.close(), deadlines.close()]);
    await threads.close();
    await stopMetrics();
    await listener.stop();
    await infrastructure.close();
  });
  sayReady(log, {
    model: chat?.label ?? null,
    kinds: [...kinds.keys()],
    concurrency: settings.AGENT_CONCURRENCY,
  });
});

function modelOf(settings: AgentRunnerSettings): Omit<ChatModelConfig, 'apiKey'> {
  return {
    baseUrl: settings.OPENAI_BASE_URL,
    model: settings.OPENAI_MODEL,
    fastModel: settings.OPENAI_FAST_MODEL,
    temperature: settings.OPENAI_TEMPERATURE,
    timeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1000,
    maxOutputTokens: settings.BUDGETED_ANSWER_TOKENS,
  };
}
