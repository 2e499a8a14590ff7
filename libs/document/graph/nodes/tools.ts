import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { ToolInputParsingException, type StructuredToolInterface } from '@langchain/core/tools';
import { stepKey } from '#kit/graph/node.js';
import { ToolError } from '#kit/graph/ports.js';
import type { DocumentPorts } from '../ports.js';
import { backToProven, type DocumentState, type DocumentUpdate } from '../state.js';
import { afterTools, afterTyping } from '../progress.js';
import { malformedCorrection } from '../../prompts/malformed.js';
import { MAX_QUESTIONS, ToolSession } from '../tools/tool-session.js';
import { CHANGING_TOOLS, getTools } from '../tools/tools.js';

/** Names that models give to the argument `filename`. */
const FILENAMES = ['file', 'path'];

/**
 * Returns the arguments of a call with what models often omit or name differently: the marks of a heading, `filename`.
 * Without this, the call would fail and be repeated.
 */
export function usualArguments({ name, args }: Pick<ToolCall, 'name' | 'args'>): Record<string, unknown> {
  const heading: unknown = args['heading'];
  if (name === 'place_source' && typeof heading === 'string' && /^[^#\s]/.test(heading))
    return usualArguments({ name, args: { ...args, heading: `# ${heading}` } });
  const other = FILENAMES.find((key) => typeof args[key] === 'string');
  return args['filename'] === undefined && other !== undefined ? { ...args, filename: args[other] } : args;
}

type ToolCall = NonNullable<AIMessage['tool_calls']>[number];

/**
 * Runs one tool call; returns errors to the model instead of throwing, unless the model did not cause them.
 */
async function runTool(call: ToolCall, tools: Map<string, StructuredToolInterface>): Promise<ToolMessage> {
  const reply = (content: string, status: 'success' | 'error') =>
    new ToolMessage({ content, status, name: call.name, tool_call_id: call.id ?? call.name });
  const tool = tools.get(call.name);
  if (!tool) {
    return reply(
      `Error: there is no tool "${call.name}". The tools are: ${[...tools.keys()].join(', ')}.`,
      'error',
    );
  }
  try {
    const args = usualArguments(call);
    const id = call.id ?? call.name;
    const result: ToolMessage = await tool.invoke({ ...call, args, id, type: 'tool_call' });
    return reply(String(result.content), 'success');
  } catch (error) {
    if (!(error instanceof ToolError) && !(error instanceof ToolInputParsingException)) throw error;
    return reply(`Error: ${error.message.split('\n').slice(0, 12).join('\n')}`, 'error');
  }
}

/** Runs the tool calls of the last answer in order, and sets the routing keys from their effects (D22). */
export function tools(ports: DocumentPorts) {
  return async (state: DocumentState, config: RunnableConfig): Promise<DocumentUpdate> => {
    const answer = state.messages.findLast((message) => message instanceof AIMessage);
    const session = new ToolSession(state.session_id, ports, state.temp_md_path, stepKey(config), {
      questionsLeft: MAX_QUESTIONS - state.questions_asked,
      hasSummary: ports.settings.hasSummary,
    });
    const byName = new Map(getTools(session).map((tool) => [tool.name, tool]));
    const messages: BaseMessage[] = [];
    for (const call of answer?.tool_calls ?? []) {
      session.beginCall();
      const result = await runTool(call, byName);
      if (result.status === 'error' && CHANGING_TOOLS.has(call.name)) session.failedChanges += 1;
      messages.push(result);
    }
    const unreadable = answer?.invalid_tool_calls ?? [];
    if (unreadable.length > 0) messages.push(malformedCorrection(unreadable));

    const progress = afterTools(state.progress, session.seen);
    const isTyped = progress.calls > 0 && session.manuscript !== state.temp_md_path;
    const asks = session.question;
    return {
      messages,
      progress: isTyped
        ? await afterTyping(
            progress,
            await ports.manuscripts.lines(session.manuscript),
            state.text_files,
            session.sources,
            ports.settings.policy,
          )
        : progress,
      temp_md_path: session.manuscript,
      // A rollback also removes kept chapters that were appended since.
      ...(session.manuscript === state.validated_md_path
        ? { taken_over: backToProven(state.taken_over) }
        : {}),
      files_read: [...session.filesRead, ...session.filesPlaced],
      files_written: [...new Set([...(state.files_written ?? state.files_read), ...session.filesPlaced])],
      chapter_checkpoint_pending: state.chapter_checkpoint_pending || session.checkpointId !== null,
      ...(session.title === null ? {} : { title: session.title }),
      ...(session.outline ? { document_outline: session.outline } : {}),
      ...(asks
        ? {
            pending_question: asks,
            missing_references: asks.refs,
            questions_asked: state.questions_asked + 1,
            status: 'awaiting_human' as const,
          }
        : {}),
    };
  };
}
