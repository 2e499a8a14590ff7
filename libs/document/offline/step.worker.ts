import type { Conversation } from './conversation.js';
import { nextStep } from './next-step.js';
import type { WriterStep } from './writer-step.js';

/** Runs in a thread: computes the offline writer's next step. */
export default function step(conversation: Conversation): WriterStep {
  return nextStep(conversation);
}
