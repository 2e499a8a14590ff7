import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, keymap, lineNumbers, type DecorationSet } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { nonce } from './nonce';

/** A place of the text that something was found in. */
export interface Mark {
  severity: 'info' | 'warning' | 'error';
  message: string;
  span: { start: number; end: number } | null;
}

interface MarkdownEditorProps {
  label: string;
  /** What it begins with; later changes are not followed. */
  content: string;
  marks: readonly Mark[];
  /** The place that is brought into view. */
  focus: Mark | null;
  readOnly: boolean;
  onChange: (content: string) => void;
}

const style = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--mantine-color-anchor)' },
  { tag: [tags.quote, tags.processingInstruction], color: 'var(--mantine-color-dimmed)' },
]);

const look = EditorView.theme({
  '&': { border: '1px solid var(--mantine-color-default-border)', maxHeight: '70vh' },
  '.cm-content': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    caretColor: 'var(--mantine-color-text)',
  },
  '.cm-gutters': {
    background: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-dimmed)',
    border: 'none',
  },
  '.cm-scroller': { overflow: 'auto' },
});

/** The marks of what was found; they move along with the text. */
function markField(marks: readonly Mark[]): Extension {
  const begin = (length: number): DecorationSet =>
    Decoration.set(
      marks.flatMap(({ span, severity, message }) => {
        if (!span || span.end <= span.start || span.end > length) return [];
        const mark = Decoration.mark({ class: `finding-${severity}`, attributes: { title: message } });
        return [mark.range(span.start, span.end)];
      }),
      true,
    );
  return StateField.define<DecorationSet>({
    create: ({ doc }) => begin(doc.length),
    update: (set, { changes }) => set.map(changes),
    provide: (field) => EditorView.decorations.from(field),
  });
}

/** Markdown as its source, so that nothing is altered that nobody touched; undo and the usual keys work. */
export default function MarkdownEditor(props: MarkdownEditorProps) {
  const { label, content, marks, focus, readOnly, onChange } = props;
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const told = useRef(onChange);
  told.current = onChange;
  useEffect(() => {
    const editor = new EditorView({
      parent: frame.current!,
      state: EditorState.create({
        doc: content,
        extensions: [
          EditorView.cspNonce.of(nonce),
          // No other line end is touched, so that text nobody edited keeps every byte.
          EditorState.lineSeparator.of('\n'),
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.lineWrapping,
          lineNumbers(),
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          markdown(),
          syntaxHighlighting(style),
          look,
          markField(marks),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) told.current(state.sliceDoc());
          }),
        ],
      }),
    });
    // What scrolls can be reached by the keyboard.
    editor.scrollDOM.tabIndex = 0;
    view.current = editor;
    return () => editor.destroy();
    // The editor keeps its text itself; it is made anew by its key.
  }, []);
  useEffect(() => {
    if (!focus?.span || !view.current) return;
    const { start, end } = focus.span;
    const length = view.current.state.doc.length;
    view.current.dispatch({
      selection: { anchor: Math.min(start, length), head: Math.min(end, length) },
      effects: EditorView.scrollIntoView(Math.min(start, length), { y: 'center' }),
    });
    view.current.focus();
  }, [focus]);
  return <div ref={frame} />;
}
