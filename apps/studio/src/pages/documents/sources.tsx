import { isCarriedName } from '#contracts/file-kinds.js';
import { Stack, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/i18n';
import { change } from '../../api/api-query';
import { addInputs, inputsOf } from '../../api/documents';
import { useIsRemaining } from '../../api/removals';
import { useMay } from '../../api/session';
import { checkPicked, type LeftOut } from '../../api/source-files';
import { AddFilesAs } from '../../ui/add-files-as';
import { formatBytes } from '../../ui/format';
import { RemoveLaterButton } from '../../ui/actions';
import { ListTable } from '../../ui/list-table';
import { WriteDocument } from './write-document';
import { useReady } from '../../ui/frames';

interface SourcesProps {
  sessionId: string;
  /** Whether a run reads the files; then they cannot be changed. */
  isActive: boolean;
  /** Whether the document was written before. */
  isWritten: boolean;
}

/** Lists the source files of a document; files can be added and removed, and the document written again. */
export default function Sources({ sessionId, isActive, isWritten }: SourcesProps) {
  const { t } = useTranslation();
  const [data, instead] = useReady(inputsOf(sessionId));
  const mayWrite = useMay('write') && !isActive;
  const isRemaining = useIsRemaining();
  if (instead) return instead;
  const remove = (name: string) => {
    const given = { session_id: sessionId, name, keepalive: true };
    return change('DELETE /api/sessions/{session_id}/inputs/{name}', given, ['inputs', sessionId]);
  };
  const nameOf = ({ name }: { name: string }) => (
    <>
      {name} {!isCarriedName(name) && <Text size="xs" c="dimmed" children={t('sources.notCarried')} />}
    </>
  );
  const items = data.items
    .map((file) => ({ ...file, id: `${sessionId}/${file.name}` }))
    .filter(isRemaining)
    .map((file, index) => ({ ...file, position: index + 1 }));
  return (
    <Stack>
      {items.length === 0 && <Text c="dimmed">{t('sources.none')}</Text>}
      {items.length > 0 && (
        <ListTable
          items={items}
          minWidth={320}
          columns={[
            { label: t('sources.position'), cell: ({ position }) => position, isNumber: true },
            { label: t('sources.name'), cell: nameOf },
            { label: t('sources.size'), cell: ({ size }) => formatBytes(size), isNumber: true },
            {
              label: t('work.actions'),
              cell: ({ id, name }) =>
                mayWrite && <RemoveLaterButton {...{ id, name }} remove={() => remove(name)} />,
              isNumber: true,
            },
          ]}
        />
      )}
      {mayWrite && (
        <AddFilesAs label={t('sources.add')} initial="source" onAdd={(files) => add(sessionId, files)}>
          <WriteDocument
            {...{ sessionId, isWritten }}
            label={t('sources.write')}
            disabled={items.length === 0}
          />
        </AddFilesAs>
      )}
      {isActive && <Text c="dimmed">{t('sources.active')}</Text>}
    </Stack>
  );
}

/** Adds files to a session. @returns the skipped files @throws ApiProblem */
async function add(sessionId: string, files: File[]): Promise<LeftOut[]> {
  const checked = await checkPicked(files);
  const sources = checked.filter(({ reason }) => reason === undefined);
  if (sources.length > 0) await addInputs(sessionId, sources);
  return checked.flatMap(({ name, reason }) => (reason === undefined ? [] : [{ name, reason }]));
}
