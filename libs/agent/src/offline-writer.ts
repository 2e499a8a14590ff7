import { FakeListChatModel } from '@langchain/core/utils/testing';
import type { HeldRun, RunEvents } from '#run-engine/kind.js';
import type { OfflineWriter, RunnerServices } from './ports.js';

/** How the writer without a model is named wherever a model is named. */
export const OFFLINE_WRITER_LABEL = 'offline writer (rules, no model)';

/** For kinds whose nodes work by rules while there is no model, and never ask this one. */
export const rulesOnly: OfflineWriter = {
  label: OFFLINE_WRITER_LABEL,
  model: new FakeListChatModel({ responses: [''] }),
};

/** What the graphs of kinds that write need of the runner: the model or word that there is none, events, settings. */
export async function writerPorts(
  services: RunnerServices,
  run: HeldRun,
  events: RunEvents,
  promptVersion: string,
) {
  const model = await services.model(run, events, rulesOnly, promptVersion);
  return {
    model,
    offline: model.label === OFFLINE_WRITER_LABEL,
    emit: events.emit.bind(events),
    settings: { decisionDeadlineSeconds: services.settings.decisionDeadlineSeconds },
  };
}
