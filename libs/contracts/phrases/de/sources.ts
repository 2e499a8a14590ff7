/** Why a source or a page cannot be read, in German. */
export const sources = {
  'source_problem.too_much':
    'Das Einlesen der Quelle dauert zu lange oder braucht zu viel Speicher. Teilen Sie sie auf und senden Sie die Teile.',
  'source_problem.outage':
    'Ein Teil des Dienstes ist nicht erreichbar. Die Quelle wird indiziert, sobald er wieder verfügbar ist.',
  'source_problem.not_indexed':
    'Die Quelle konnte nicht indiziert werden. Senden Sie sie erneut oder fragen Sie den Betreiber.',
  'source_problem.embedding_outage':
    'Der Embedding-Server antwortet nicht. Die Quelle wird indiziert, sobald er wieder verfügbar ist.',
  'source_problem.budget': 'Das Modellbudget des Mandanten für diesen Monat ist aufgebraucht.',
  'source_problem.embedding_gone': 'Das Embedding-Modell ist nicht mehr eingerichtet.',
  'source_problem.not_embedded': 'Für die Texte konnten keine Vektoren berechnet werden.',
  'source_problem.vectors_missing': 'Die Vektoren der Werkzeuge sind noch nicht vollständig.',
  'source_problem.page_type':
    'Die Seite hat den Typ {type}. Über die Adresse lassen sich nur Webseiten, PDF und Text lesen.',
  'source_problem.page_status': 'Die Seite antwortet mit Status {status}.',
  'source_problem.page': 'Die Seite war nicht lesbar.',
  'source_problem.unreadable': 'Die Datei war nicht lesbar.',
  'source_problem.of': '{name}: {problem}',
} as const;
