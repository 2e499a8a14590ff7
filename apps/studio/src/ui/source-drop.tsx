import { List, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { useTranslation } from 'react-i18next';
import {
  addChecked,
  checkPicked,
  type CheckedFile,
  type PickedFile,
  type Selection,
} from '../api/source-files';
import { LeftOutFiles } from './left-out-files';
import { ProblemAlert } from './problem-alert';

const SHOWN = 8;
const NOTHING: Selection<File> = { sources: [], leftOut: [], notCarried: [] };

/** Returns the chosen files, and what adds to them. */
export function useSelection() {
  const [selection, setSelection] = useState(NOTHING);
  const add = (checked: readonly CheckedFile<File>[]) => setSelection((known) => addChecked(known, checked));
  const adding = useMutation({
    mutationFn: (dropped: (File & PickedFile)[]) => checkPicked<File>(dropped),
    onSuccess: add,
  });
  const clear = () => setSelection(NOTHING);
  return { selection, isEmpty: selection === NOTHING, add, adding, clear };
}

type Chosen = ReturnType<typeof useSelection>;

/** Accepts files and folders, dropped or picked. */
export function SourceDrop({ chosen }: { chosen: Chosen }) {
  const { t } = useTranslation();
  const zone = useDropzone({ onDrop: (dropped) => chosen.adding.mutate(dropped) });
  return (
    <div {...zone.getRootProps({ className: 'drop-zone', 'data-active': zone.isDragActive })}>
      <input {...zone.getInputProps({ 'aria-label': t('newDocument.choose') })} />
      <Text>{t('newDocument.drop')}</Text>
      <Text size="sm" c="dimmed">
        {t('newDocument.kinds')}
      </Text>
    </div>
  );
}

/** Lists the chosen files, and those that were left out. */
export function ChosenFiles({ chosen: { adding, selection } }: { chosen: Chosen }) {
  const { t } = useTranslation();
  const names = selection.sources.map(({ name }) => name);
  return (
    <>
      {adding.error && <ProblemAlert error={adding.error} />}
      {names.length > 0 && (
        <List size="sm" aria-label={t('newDocument.files', { count: names.length })}>
          {names.slice(0, SHOWN).map((name) => (
            <List.Item key={name}>{name}</List.Item>
          ))}
          {names.length > SHOWN && (
            <List.Item>{t('newDocument.others', { count: names.length - SHOWN })}</List.Item>
          )}
        </List>
      )}
      <LeftOutFiles leftOut={selection.leftOut} notCarried={selection.notCarried} />
    </>
  );
}
