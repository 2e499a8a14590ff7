import 'reflect-metadata';
import { agentRunnerSettings, loadSettings } from '#config/settings.js';
import { NotificationListener } from '#events/listener.js';
import { createChatModel } from '#llm/chat-model.js';
import type { GraphDefinition } from '#run-engine/engine.js';
import { CANCEL_CHANNEL } from '#run-engine/event-log.js';
import { startDeadlineWorker } from '#run-engine/deadline-worker.js';
import { RunWorker } from '#run-engine/run-worker.js';
import { openInfrastructure } from '#runtime/infrastructure.module.js';
import { main, sayReady, stopOnSignal } from '#runtime/main.js';
import { serveOwnMetrics } from '#runtime/own-metrics.js';
import { DocumentDefinition } from './document/document-definition.js';
import type { PricedModel } from './document/metered-model.js';

main(async () => {
  const settings = loadSettings(agentRunnerSettings, process.env);
  const infrastructure = await openInfrastructure('agent-runner', settings);
  const { log, db, store, engine } = infrastructure;
  const model = createChatModel({
    apiKey: settings.OPENAI_API_KEY,
    baseUrl: settings.OPENAI_BASE_URL,
    model: settings.OPENAI_MODEL,
    fastModel: settings.OPENAI_FAST_MODEL,
    temperature: settings.OPENAI_TEMPERATURE,
    timeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1000,
    maxOutputTokens: settings.BUDGETED_ANSWER_TOKENS,
  });
  const priced: PricedModel = {
    chat: model,
    price: settings.MODEL_PRICES?.[model.label],
    maxOutputTokens: settings.BUDGETED_ANSWER_TOKENS,
  };
  const graphs = new Map<string, GraphDefinition>([
    ['document', new DocumentDefinition(db, store, priced, settings)],
  ]);
  const listener = new NotificationListener(settings.DATABASE_URL, [CANCEL_CHANNEL]);
  await listener.start();
  const runs = new RunWorker(engine, graphs, settings.AGENT_CONCURRENCY);
  listener.on(CANCEL_CHANNEL, (runId) => runs.cancel(runId));
  const deadlines = startDeadlineWorker(engine);
  const stopMetrics = await serveOwnMetrics('agent-runner', settings, infrastructure);
  stopOnSignal(log, async () => {
    await Promise.all([runs.close(), deadlines.close()]);
    await stopMetrics();
    await listener.stop();
    await infrastructure.close();
  });
  sayReady(log, { model: model.label, concurrency: settings.AGENT_CONCURRENCY });
});
