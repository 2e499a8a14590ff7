import { syntheticIssue } from '#contracts/manuscript.js';
import { writeOffline } from '#testing/write-offline.js';
import validate from '#document/tasks/validate.worker.js';

export interface ValidatedManuscript {
  /** Issues of all validations, as `rule: message`. */
  failed: string[];
  /** Issues of the last validation. */
  verdict: string[];
  /** Questions to a person. */
  questions: string[];
  coverage: number | null;
}

/**
 * Writes a document with the offline writer and validates each chapter as a run does, without servers.
 *
 * @param files texts by name, in the order of the document
 * @param rejections how many validations fail before the first that counts
 * @param assets names of images that no text has to place
 */
export async function writeAndValidate(
  files: Record<string, string>,
  rejections = 0,
  assets: string[] = [],
): Promise<ValidatedManuscript> {
  const sources = Object.entries(files);
  const result: ValidatedManuscript = {
    failed: [],
    verdict: ['never validated'],
    questions: [],
    coverage: null,
  };
  const { questions } = await writeOffline(files, {
    assets,
    validate: async (markdown, task) => {
      if (rejections-- > 0) return [syntheticIssue('rejected')];
      const { issues, ledger } = await validate({
        markdown: Buffer.from(markdown),
        sources: sources
          .filter(([name]) => task.sources.includes(name))
          .map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
        policy: 'verbatim',
        decided: Object.keys(task.user_decisions),
        fileNames: [...Object.keys(files), ...assets],
      });
      result.verdict = issues.map(({ rule, message }) => `${rule}: ${message}`);
      result.failed.push(...result.verdict);
      result.coverage = ledger?.coverage ?? null;
      return issues;
    },
  });
  return { ...result, questions };
}
