import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, keymap, lineNumbers, type DecorationSet } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { nonce } from './nonce';

/** A marked location of the text, with a message. */
export interface Mark {
  severity: 'info' | 'warning' | 'error';
  message: string;
  span: { start: number; end: number } | null;
}

interface MarkdownEditorProps {
  label: string;
  /** Initial text; later changes are ignored. */
  content: string;
  marks: readonly Mark[];
  /** Location to scroll to. */
  focus: Mark | null;
  readOnly: boolean;
  onChange: (content: string) => void;
  /** Called when the selected part changes; start and end are equal if nothing is selected. */
  onSelect?: ((span: { start: number; end: number }) => void) | undefined;
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

/** Returns the marks as decorations, which move with the text. */
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

/** Edits the Markdown source, so that untouched text stays unchanged; supports undo and the usual keys. */
export default function MarkdownEditor(props: MarkdownEditorProps) {
  const { label, content, marks, focus, readOnly, onChange, onSelect } = props;
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  const selected = useRef(onSelect);
  selected.current = onSelect;
  useEffect(() => {
    const editor = new EditorView({
      parent: frame.current!,
      state: EditorState.create({
        doc: content,
        extensions: [
          EditorView.cspNonce.of(nonce),
          // Normalise no other line ends, so that unedited text keeps every byte.
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
          EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
            if (docChanged) latestOnChange.current(state.sliceDoc());
            const { from, to } = state.selection.main;
            if (selectionSet) selected.current?.({ start: from, end: to });
          }),
        ],
      }),
    });
    // Make the scroll area focusable for keyboard users.
    editor.scrollDOM.tabIndex = 0;
    view.current = editor;
    return () => editor.destroy();
    // The editor holds its own text; a new `key` recreates it.
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
