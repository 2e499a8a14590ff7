import { freePort } from '#embedded/postgres.js';
import { projectRoot } from '#embedded/project-root.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** An additional gateway on the database, queue and store of a running stack: a spec may kill it while others use the stack. */
export class OwnGateway {
  private child: ChildProcess | undefined;
  private isStopped = false;

  private constructor(
    private readonly env: NodeJS.ProcessEnv,
    /** Base URL, which stays the same when a killed process is replaced. */
    readonly url: string,
  ) {}

  /** @param env the settings of the stack's apps */
  static async start(env: NodeJS.ProcessEnv): Promise<OwnGateway> {
    const port = String(await freePort());
    const gateway = new OwnGateway({ ...env, GATEWAY_PORT: port }, `http://127.0.0.1:${port}`);
    await gateway.launch();
    return gateway;
  }

  /** Kills the gateway like a crash and returns the killed process's ID; another process replaces it. */
  kill(): number {
    const pid = this.child!.pid!;
    process.kill(pid, 'SIGKILL');
    return pid;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  private async launch(): Promise<void> {
    const main = join(projectRoot(), 'dist/apps/gateway/src/main.js');
    const child = spawn(process.execPath, [main], { env: this.env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.child = child;
    child.once('exit', () => {
      if (!this.isStopped) void this.launch();
    });
    for await (const line of createInterface({ input: child.stdout! }))
      if ((JSON.parse(line) as { event?: string }).event === 'ready') break;
    child.stdout!.resume();
  }
}
