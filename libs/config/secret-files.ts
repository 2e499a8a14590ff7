import { withoutLineEnd } from '#contracts/text.js';
import { readFileSync } from 'node:fs';

/** Settings that can be read from a file, such as a mounted secret: `NAME_FILE` contains its path. */
export const secretSettings = [
  'DATABASE_URL',
  'QUEUE_URL',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'OPENAI_API_KEY',
  'OPENAI_EMBED_API_KEY',
  'EXA_API_KEY',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
  'TOKEN_SECRET',
] as const;

/** Environment with the contents of its secret files, and the problems of reading them. */
interface ResolvedSecrets {
  environment: NodeJS.ProcessEnv;
  /** Sentences without secrets, such as `DATABASE_URL_FILE: cannot be read (ENOENT)`. */
  problems: string[];
}

/**
 * Replaces every `NAME_FILE` of a secret setting by `NAME` with the file's content, without its final line
 * break. Setting both is a problem, because one value would be ignored.
 */
export function readSecretFiles(given: NodeJS.ProcessEnv): ResolvedSecrets {
  const environment = { ...given };
  const problems: string[] = [];
  for (const name of secretSettings) {
    const variable = `${name}_FILE`;
    const path = given[variable];
    if (!path) continue;
    delete environment[variable];
    if (given[name]) {
      problems.push(`${variable}: ${name} is also set; set only one of them`);
      continue;
    }
    try {
      environment[name] = withoutLineEnd(readFileSync(path, 'utf8'));
    } catch (error) {
      problems.push(`${variable}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
    }
  }
  return { environment, problems };
}
