import { isSourceName } from '#contracts/file-kinds.js';
import { checkPicked, type LeftOut } from './source-files';

/** Divides chosen files into those from which text can be read, and the others with their reasons. */
export async function readableFiles(chosen: File[]): Promise<{ files: File[]; leftOut: LeftOut[] }> {
  const files: File[] = [];
  const leftOut: LeftOut[] = [];
  for (const { name, file, reason } of await checkPicked<File>(chosen)) {
    const problem = reason ?? (isSourceName(name) ? undefined : 'kind');
    if (problem === undefined) files.push(file);
    else leftOut.push({ name, reason: problem });
  }
  return { files, leftOut };
}
