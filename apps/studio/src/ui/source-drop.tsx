import { SmallButton } from './actions';
import { useWindowEvent } from '@mantine/hooks';
import { Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, useRef, type ReactNode } from 'react';
import { useDropzone } from 'react-dropzone';
import { useTranslation } from '../i18n/i18n';
import type { PickedFile, Selection, SourceFile } from '../api/source-files';
import { sourceFiles } from '../api/documents';
import { ProblemAlert, Hint } from './frames';

const NOTHING: Selection<File> = { sources: [], leftOut: [], notCarried: [] };

/** Returns the chosen files, a mutation that adds some, and functions that replace or clear them. */
export function useSelection() {
  const [selection, setSelection] = useState(NOTHING);
  const adding = useMutation({
    mutationFn: async (dropped: (File & PickedFile)[]) => {
      const { addChecked, checkPicked } = await sourceFiles();
      return { addChecked, checked: await checkPicked<File>(dropped) };
    },
    // A file dialog may end without a file.
    onSuccess: ({ addChecked, checked }) =>
      checked.length > 0 && setSelection((known) => addChecked(known, checked)),
  });
  return {
    selection,
    isEmpty: selection === NOTHING,
    adding,
    change: async (sources: SourceFile<File>[]) => {
      const { withSources } = await sourceFiles();
      setSelection((known) => withSources(known, sources));
    },
    clear: () => setSelection(NOTHING),
  };
}

export type Chosen = ReturnType<typeof useSelection>;

/** Accepts files and folders, picked or dropped anywhere on the page. `children` are next to the button for a folder. */
export function SourceDrop({ chosen, children }: { chosen: Chosen; children?: ReactNode }) {
  const { t } = useTranslation();
  const isDragging = useDraggedFiles();
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])];
    chosen.adding.mutate(files.map((file) => Object.assign(file, { path: `/${file.webkitRelativePath}` })));
    // The same folder may be chosen again.
    input.value = '';
  };
  const zone = useDropzone({ onDrop: (dropped) => chosen.adding.mutate(dropped) });
  return (
    <>
      <div
        {...zone.getRootProps({
          className: 'drop-zone',
          'data-active': zone.isDragActive,
          'data-whole-page': isDragging,
        })}
      >
        <input {...zone.getInputProps({ 'aria-label': t('newDocument.choose') })} />
        <Text>{t('newDocument.drop')}</Text>
        <Hint>{t('newDocument.kinds')}</Hint>
      </div>
      <Group justify="center" gap="xs">
        <SmallButton
          variant="subtle"
          size="compact-sm"
          label={t('newDocument.chooseFolder')}
          onClick={() => folder.current?.click()}
        />
        {children}
      </Group>
      {/* A folder cannot be dropped on a telephone or by keyboard. */}
      <input
        ref={folder}
        type="file"
        hidden
        {...{ webkitdirectory: '' }}
        onChange={(event) => take(event.currentTarget)}
      />
      {chosen.adding.error && <ProblemAlert error={chosen.adding.error} />}
    </>
  );
}

/** Returns whether files are dragged over the page; the drop zone then covers it. */
function useDraggedFiles(): boolean {
  const [isDragging, setDragging] = useState(false);
  useWindowEvent('dragenter', ({ dataTransfer }) =>
    setDragging(dataTransfer?.types.includes('Files') ?? false),
  );
  useWindowEvent('dragleave', ({ relatedTarget }) => relatedTarget === null && setDragging(false));
  useWindowEvent('drop', () => setDragging(false), true);
  return isDragging;
}
