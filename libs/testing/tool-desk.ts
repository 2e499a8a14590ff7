import type { NewRunEvent } from '#catalogue/events.js';
import { MAX_QUESTIONS, ToolSession } from '#document/graph/tools/tool-session.js';
import { getTools } from '#document/graph/tools/tools.js';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { MemoryCheckpoints, MemoryInputs, memoryManuscripts, type InputFiles } from './memory-ports.js';

/** The document agent's tools on in-memory inputs, with pages of 400 bytes. */
export class ToolDesk {
  readonly events: NewRunEvent[] = [];
  readonly checkpoints = new MemoryCheckpoints();
  readonly manuscripts = memoryManuscripts('ses_1');
  readonly session: ToolSession;
  /** Number of input pages that were read. */
  pages = 0;
  private readonly tools: Map<string, StructuredToolInterface>;

  constructor(files: InputFiles, questionsLeft = MAX_QUESTIONS, hasSummary = false) {
    const inputs = new MemoryInputs(files, 400);
    const ports = {
      inputs: {
        list: () => inputs.list(),
        readPage: (name: string, cursor: number) => (this.pages++, inputs.readPage(name, cursor)),
      },
      manuscripts: this.manuscripts.port,
      checkpoints: this.checkpoints,
      emit: (event: NewRunEvent) => void this.events.push(event),
    };
    this.session = new ToolSession('ses_1', ports, null, 'step', { questionsLeft, hasSummary });
    this.tools = new Map(getTools(this.session).map((tool) => [tool.name, tool]));
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<string> {
    this.session.beginCall();
    const result = await this.tools.get(name)!.invoke({ type: 'tool_call', id: 'same-id', name, args });
    return String(result.content);
  }

  text(): Promise<string> {
    return this.manuscripts.store.read(this.session.manuscript);
  }
}
