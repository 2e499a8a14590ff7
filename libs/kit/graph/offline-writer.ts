import { OFFLINE_WRITER_LABEL } from '#contracts/offline-writer.js';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import type { HeldRun, RunEvents } from '#engine/kind.js';
import type { OfflineWriter, RunnerServices } from './ports.js';

export { OFFLINE_WRITER_LABEL };

/** Offline writer for kinds whose nodes apply rules themselves; its model is never called. */
const rulesOnly: OfflineWriter = {
  label: OFFLINE_WRITER_LABEL,
  model: new FakeListChatModel({ responses: [''] }),
};

/** Creates the ports that writing graphs need: the model or offline writer, events and settings. */
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
