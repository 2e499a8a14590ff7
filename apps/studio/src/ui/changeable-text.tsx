import { Button, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n';
import type { ChangeableText as Text } from '../api/changes';
import { useMay } from '../api/session';
import { ChangeSelection, type Span } from './change-selection';
import { LazyMarkdownEditor } from './lazy-markdown-editor';

interface ChangeableTextProps {
  text: Text;
  label: string;
  content: string;
  /** The text for reading. */
  children: ReactNode;
}

/** Shows a text for reading, and on demand its Markdown, of which a selected part can be changed. */
export function ChangeableText({ text, label, content, children }: ChangeableTextProps) {
  const { t } = useTranslation();
  const [isSelecting, setSelecting] = useState(false);
  if (!useMay('write')) return children;
  return (
    <Stack gap="sm">
      <Button variant="default" size="xs" w="fit-content" onClick={() => setSelecting(!isSelecting)}>
        {t(isSelecting ? 'selection.read' : 'selection.change')}
      </Button>
      {isSelecting ? <Selecting key={content} text={text} label={label} content={content} /> : children}
    </Stack>
  );
}

function Selecting({ text, label, content }: Omit<ChangeableTextProps, 'children'>) {
  const [selected, setSelected] = useState<Span | null>(null);
  return (
    <>
      <LazyMarkdownEditor
        {...{ label, content }}
        marks={[]}
        focus={null}
        readOnly
        onChange={() => undefined}
        onSelect={setSelected}
      />
      <ChangeSelection text={text} content={content} selected={selected} isEdited={false} />
    </>
  );
}
