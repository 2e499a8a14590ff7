import type { CollectionSync, SavedPlanRun, SyncResult } from '#catalogue/schedule-schemas.js';
import type { RunView } from './views.js';
import type { CitedPassage } from '#writing/citations.js';

/** Finds the session in which runs of a project work; a feature with projects provides it. */
export abstract class ProjectSessions {
  /** @throws ProblemError `not_found` */
  abstract sessionOf(tenantId: string, projectId: string): Promise<string>;
}

/** Looks for texts that show a style; a feature with style corpora provides it. */
export abstract class StyleTexts {
  /** @param collections IDs of style collections; all of the tenant's if absent */
  abstract exist(tenantId: string, collections?: string[]): Promise<boolean>;
}

/** Starts plans that were saved; a feature with plans provides it. */
export abstract class SavedPlans {
  /** @throws ProblemError `not_found` */
  abstract read(tenantId: string, id: string): Promise<unknown>;
  /**
   * @param runId ID of the run; a repeat with the same ID starts nothing
   * @throws ProblemError `not_found`, `invalid_request`, `invalid_plan`, `run_active`, and those of a budget
   */
  abstract start(tenantId: string, id: string, request: SavedPlanRun, runId: string): Promise<unknown>;
}

/** What a sync has done so far, and where it continues. */
export interface SyncProgress extends SyncResult {
  isDone: boolean;
  /** Number of given addresses that were read, and the last source. */
  urls: number;
  after: string;
}

/** Reads pages of collections again; a feature with collections provides it. */
export abstract class CollectionSyncs {
  /** Returns the collection. @throws ProblemError `not_found` */
  abstract find(tenantId: string, collectionId: string): Promise<{ name: string }>;
  /** Returns the name of a collection that may be read. @throws ProblemError `not_found`, `fetching_off` */
  abstract require(tenantId: string, collectionId: string): Promise<string>;
  /**
   * Reads the next few pages, in less than a minute.
   *
   * @param syncId repeating a part of the same sync counts each page as the first time
   * @param progress of the parts before; null for the first
   * @throws ProblemError `not_found`, `fetching_off`; the signal's reason
   */
  abstract next(
    tenantId: string,
    sync: CollectionSync,
    syncId: string,
    progress: SyncProgress | null,
    signal: AbortSignal,
  ): Promise<SyncProgress>;
}

/** Text of a chapter, with the passages that it may cite. */
export interface ChangeableChapter {
  sessionId: string;
  title: string;
  content: string;
  passages: CitedPassage[];
}

/** Reads and replaces texts of chapters; a feature with chapters provides it. */
export abstract class ChangeableChapters {
  /** @throws ProblemError `not_found`, `chapter_empty` */
  abstract read(tenantId: string, chapterId: string): Promise<ChangeableChapter>;
  /**
   * Replaces a chapter's text, as a new version.
   *
   * @param change the text that was read, the new text, and the run that proposed it
   * @throws ProblemError `not_found`; `changed_meanwhile` if the text of the chapter has changed
   */
  abstract replace(
    tenantId: string,
    chapterId: string,
    change: { from: string; to: string; runId: string },
  ): Promise<void>;
}

/** Converts the current manuscript of a document to Word; a feature with documents provides it. */
export abstract class DocumentExports {
  /**
   * @param options of the conversion, instead of those of the run that wrote the manuscript
   * @param runId ID of the run; a repeat with the same ID starts nothing
   * @throws ProblemError `no_manuscript`, `no_inputs`, `run_active`, and those of a budget
   */
  abstract start(tenantId: string, sessionId: string, options: object, runId?: string): Promise<RunView>;
}

/** Knows what people changed of a document; a feature with documents provides it. */
export abstract class DocumentChanges {
  /** Returns whether writing the session's document again from its sources would lose changes of people. */
  abstract exist(tenantId: string, sessionId: string): Promise<boolean>;
}
