import { readFileSync } from 'node:fs';

/** Settings that may come from a file instead: `NAME_FILE` names it, as orchestrators mount secrets. */
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

/** An environment with the contents of its secret files, and what is wrong with those that could not be taken. */
export interface ResolvedSecrets {
  environment: NodeJS.ProcessEnv;
  /** Sentences such as `DATABASE_URL_FILE: cannot be read (ENOENT)`; none holds a secret. */
  problems: string[];
}

/**
 * Replaces every `NAME_FILE` of a secret setting by `NAME` with the file's content, less the line break at its end. A
 * secret that is set both ways is a problem: one of the two would silently lose.
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
      problems.push(`${variable}: ${name} is set as well; set one of them`);
      continue;
    }
    try {
      environment[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      problems.push(`${variable}: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
    }
  }
  return { environment, problems };
}
