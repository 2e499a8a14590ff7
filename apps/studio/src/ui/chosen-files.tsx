import { LeftOutFiles } from './left-out-files';
import type { Chosen } from './source-drop';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import type { SourceFile } from '../api/source-files';
import { formatBytes } from './format';
import { MoveButtons } from './move-buttons';

/** Lists the chosen and the skipped files. */
export function ChosenFiles({ chosen: { change, selection } }: { chosen: Chosen }) {
  return (
    <>
      <FileOrder sources={selection.sources} onChange={(sources) => void change(sources)} />
      <LeftOutFiles leftOut={selection.leftOut} notCarried={selection.notCarried} />
    </>
  );
}

/** Number of files that are listed at first. */
const SHOWN = 12;

interface FileOrderProps {
  sources: SourceFile<File>[];
  onChange: (sources: SourceFile<File>[]) => void;
}

/** Lists the chosen files in the order in which the document carries them; each can be moved and removed. */
function FileOrder({ sources, onChange }: FileOrderProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  if (sources.length === 0) return null;
  const shown = isWhole ? sources : sources.slice(0, SHOWN);
  const move = (from: number, to: number) => {
    const others = sources.toSpliced(from, 1);
    onChange(others.toSpliced(to, 0, sources[from]!));
  };
  const bytes = sources.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <section aria-label={t('newDocument.files', { count: sources.length })}>
      <Text size="sm" fw={600}>
        {t('newDocument.files', { count: sources.length })} · {formatBytes(bytes)}
      </Text>
      <ol className="chosen-files">
        {shown.map(({ name, file }, index) => (
          <li key={name}>
            <span className="chosen-name">{name}</span>
            <Text size="xs" c="dimmed" span>
              {formatBytes(file.size)}
            </Text>
            <Group gap={2} wrap="nowrap">
              <MoveButtons
                labels={{
                  up: `${t('newDocument.up')}: ${name}`,
                  down: `${t('newDocument.down')}: ${name}`,
                }}
                index={index}
                count={sources.length}
                onMove={move}
              />
              <Button
                variant="subtle"
                size="compact-xs"
                aria-label={`${t('newDocument.remove')}: ${name}`}
                onClick={() => onChange(sources.toSpliced(index, 1))}
              >
                {t('newDocument.remove')}
              </Button>
            </Group>
          </li>
        ))}
      </ol>
      {shown.length < sources.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {t('newDocument.others', { count: sources.length - shown.length })}
        </Button>
      )}
    </section>
  );
}
