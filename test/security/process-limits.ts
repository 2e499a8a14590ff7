import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the peak memory of a process, in kB. */
export const mostMemory = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Returns the memory limit of an app in the manifests, in kB. */
export function memoryLimit(app: string): number {
  const manifest = readFileSync(join(process.cwd(), `deploy/kubernetes/base/${app}.yaml`), 'utf8');
  const [, size, unit] = /limits: \{ memory: (\d+)(Gi|Mi) \}/.exec(manifest)!;
  return Number(size) * (unit === 'Gi' ? 1024 * 1024 : 1024);
}
