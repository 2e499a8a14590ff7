import { OFFLINE_WRITER_LABEL } from '#contracts/model-facts.js';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import type { HeldRun, RunEvents } from '#engine/kind.js';
import type { RunnerServices } from './ports.js';

export { OFFLINE_WRITER_LABEL };

/**
 * Creates the ports that writing graphs need: the model, or a label for the rules that their nodes apply without one;
 * events and settings.
 */
export async function writerPorts(
  services: RunnerServices,
  run: HeldRun,
  events: RunEvents,
  promptVersion: string,
  { label = OFFLINE_WRITER_LABEL, withoutModel: isChosen = false } = {},
) {
  // The model of the offline writer is never called.
  const offline = { label, model: new FakeListChatModel({ responses: [''] }), isChosen };
  const model = await services.model(run, events, offline, promptVersion);
  return {
    model,
    offline: model.label === label,
    emit: events.emit.bind(events),
    settings: { decisionDeadlineSeconds: services.settings.decisionDeadlineSeconds },
  };
}
