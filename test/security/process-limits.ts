import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In which Linux tells the times of processes. */
const TICKS_PER_SECOND = 100;

/** The most memory that a process has had so far, in kB. */
export const mostMemory = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** What the manifests give an app, in kB. */
export function memoryLimit(app: string): number {
  const manifest = readFileSync(join(process.cwd(), `deploy/kubernetes/base/${app}.yaml`), 'utf8');
  const [, size, unit] = /limits: \{ memory: (\d+)(Gi|Mi) \}/.exec(manifest)!;
  return Number(size) * (unit === 'Gi' ? 1024 * 1024 : 1024);
}

/** Processor time that a process has taken, in seconds. */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
