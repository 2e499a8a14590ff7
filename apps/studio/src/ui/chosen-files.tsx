import { SmallButton } from './actions';
import { LeftOutFiles } from './left-out-files';
import type { Chosen } from './source-drop';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import type { SourceFile } from '../api/source-files';
import { formatBytes } from './format';
import { MoveButtons } from './move-buttons';

/** Number of files that are listed at first. */
const SHOWN = 12;

/**
 * Lists the chosen files in the order in which the document carries them, each of which can be moved and removed, and the
 * skipped files.
 */
export function ChosenFiles({ chosen: { change, selection } }: { chosen: Chosen }) {
  const { t } = useTranslation();
  const { sources, leftOut, notCarried } = selection;
  const [isWhole, setWhole] = useState(false);
  const skipped = <LeftOutFiles {...{ leftOut, notCarried }} />;
  if (sources.length === 0) return skipped;
  const onChange = (changed: SourceFile<File>[]) => void change(changed);
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
                labels={{ up: `${t('newDocument.up')}: ${name}`, down: `${t('newDocument.down')}: ${name}` }}
                index={index}
                count={sources.length}
                onMove={move}
              />
              <SmallButton
                variant="subtle"
                size="compact-xs"
                label={t('newDocument.remove')}
                name={name}
                onClick={() => onChange(sources.toSpliced(index, 1))}
              />
            </Group>
          </li>
        ))}
      </ol>
      {shown.length < sources.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {t('newDocument.others', { count: sources.length - shown.length })}
        </Button>
      )}
      {skipped}
    </section>
  );
}
