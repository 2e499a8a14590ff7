import type { RunEvent } from '#contracts/events.js';
import type { Progress } from './progress.js';

/** The progress of a plan: one line for each layer and each task, and for what was decided. */
export class PlanProgress implements Progress {
  constructor(private readonly write: (line: string) => void) {}

  say(message: string): void {
    this.write(message);
  }

  event({ type, data }: RunEvent): void {
    const task = `${String(data['task_id'])} (${String(data['tool'])})`;
    if (type === 'plan_created') this.write(`${(data['tasks'] as unknown[]).length} tasks`);
    if (type === 'layer_started') this.write(`layer ${Number(data['layer']) + 1} begins`);
    if (type === 'task_complete') this.write(`${task}: done`);
    if (type === 'task_error')
      this.write(`${task}: ${(data['error'] as { message?: string } | null)?.message ?? 'failed'}`);
    if (type === 'plan_decision')
      this.write(`${String(data['type'])} ${String(data['action'])}, by ${String(data['by'])}`);
  }

  pause(): void {}

  end(): void {}
}
