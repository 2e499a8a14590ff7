import type { CheckpointPort, InputPort, ManuscriptPort, ModelPort } from '#agent/ports.js';
import type { NewRunEvent } from '#contracts/events.js';

/** Limits and policies of a document run; who sets them is the operator, or the run's own inputs. */
export interface DocumentSettings {
  policy: 'verbatim' | 'narrative';
  title: string | null;
  language: string | null;
  author: string;
  sourceAppendix: boolean;
  /** How code stands in the Word file. */
  codeColors: boolean;
  lineNumbers: boolean;
  decisionDeadlineSeconds: number;
  /** Model calls a run may make before it ends with `step_limit` (D25). */
  maxAgentSteps: number;
  systemPrompt: string;
}

/** Everything the document graph needs from outside (graphs are pure: I/O comes in here). */
export interface DocumentPorts {
  inputs: InputPort;
  manuscripts: ManuscriptPort;
  checkpoints: CheckpointPort;
  model: ModelPort;
  emit(event: NewRunEvent): void;
  settings: DocumentSettings;
}
