import type { FirstPagePart } from '#contracts/manuscript.js';
import type { CheckpointPort, InputPort, ManuscriptPort, RunModel } from '#kit/graph/ports.js';
import type { NewRunEvent } from '#catalogue/events.js';
import type { DocumentRules } from '../offline/rules.js';

/** Limits and policies of a document run, set by the operator or by the run's inputs. */
export interface DocumentSettings {
  policy: 'verbatim' | 'narrative';
  /** Whether the document may begin with a summary whose sentences are checked. */
  hasSummary: boolean;
  /** Parts of the first page that rules add. */
  firstPage: FirstPagePart[];
  title: string | null;
  language: string | null;
  author: string;
  sourceAppendix: boolean;
  /** Appearance of code in the Word file. */
  codeColors: boolean;
  lineNumbers: boolean;
  listOfFigures?: boolean | undefined;
  /** Whether open proposals are written into the Word file. */
  proposals?: 'tracked' | undefined;
  decisionDeadlineSeconds: number;
  /** Maximum number of model calls before the run ends with `step_limit` (D25). */
  maxAgentSteps: number;
  systemPrompt: string;
}

/** Everything that the document graph needs from outside; graphs are pure and do all I/O through ports. */
export interface DocumentPorts {
  inputs: InputPort;
  manuscripts: ManuscriptPort;
  checkpoints: CheckpointPort;
  model: RunModel;
  /** True if the installation lacks a model, so that the offline writer does all the work. */
  offline: boolean;
  rules: DocumentRules;
  emit(event: NewRunEvent): void;
  /** Shows what the offline writer is doing. */
  say(text: string): void;
  settings: DocumentSettings;
}
