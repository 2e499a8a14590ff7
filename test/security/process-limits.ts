import { readdirSync, readFileSync } from 'node:fs';
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

interface Thread {
  id: number;
  /** Processor time it has used, in seconds. */
  cpuSeconds: number;
}

/** Returns the threads of a process but its main one. */
export function threadsOf(pid: number): Thread[] {
  return readdirSync(`/proc/${pid}/task`)
    .map(Number)
    .filter((id) => id !== pid)
    .flatMap((id) => {
      try {
        const fields = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8').split(') ')[1]!.split(' ');
        return [{ id, cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND }];
      } catch {
        return []; // it ended between the two reads
      }
    });
}

/** Returns whether a thread of a process has used so many CPU seconds since `before`. */
export const hasWorked = (pid: number, before: readonly Thread[], seconds: number): boolean =>
  threadsOf(pid).some(
    ({ id, cpuSeconds }) =>
      cpuSeconds - (before.find((thread) => thread.id === id)?.cpuSeconds ?? 0) >= seconds,
  );
