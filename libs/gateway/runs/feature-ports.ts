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
