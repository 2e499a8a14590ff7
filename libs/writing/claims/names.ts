import { startsLikeName } from '#contracts/text.js';
import { stems } from '#verbatim/source/stems.js';
import { hardTokens } from '#verbatim/source/tokens.js';

/** Capitalised words that do not name a person, place or organisation: titles, and parts of a book. */
const NO_NAME = new Set(
  (
    'Mr Mrs Ms Mme Mlle Dr Prof Sir Sr Sra Don Doña Señor Señora Monsieur Madame Pan Pani Uncle Aunt Captain Inspector Judge Mayor Bishop King Queen ' +
    'President Minister Professor Doctor Lady Lord Chapter Section Part Figure Table Book Page Appendix Note Kapitel Abschnitt Seite Tabelle ' +
    'Abbildung Rozdział Część Tabela Rysunek God Internet Christmas Easter Celsius Fahrenheit Kelvin Earth Bible'
  ).split(' '),
);

/** How a text and its passages use words. */
export interface WordUse {
  /** Words in lower case: with a capital at the start of a sentence, they are no names. */
  lower: ReadonlySet<string>;
  /** Names behind a given name, an initial or a title. */
  surnames: ReadonlySet<string>;
}

export const wordUseIn = (text: string): WordUse => ({
  lower: new Set(text.match(/(?<![\p{L}\p{N}])\p{Ll}\p{L}+/gu) ?? []),
  surnames: new Set(
    germanWords(text).flatMap(({ text: word, isIntroduced }) => (isIntroduced ? [word] : [])),
  ),
});

/**
 * Returns the names of a sentence. A capital at the start of a sentence shows no name, unless the word is a
 * given name, or a name follows and the text has no such word in lower case. In German, where all nouns have capitals, a name is a given name, follows one, an initial or a title, or is
 * such a name elsewhere; then the word before it belongs to it.
 */
export function namesIn(sentence: string, language: string | null, { lower, surnames }: WordUse): string[] {
  const names = language === 'de' ? germanNames(sentence, surnames) : capitalNames(sentence);
  const [, first = '', next = ''] = OPENING.exec(sentence) ?? [];
  const isName =
    isOnlyGivenName(first) ||
    (names.includes(next) && (isGivenName(first) || (language !== 'de' && !isFunctionWord(first))));
  const opening = isName && !lower.has(first.toLowerCase()) ? [first] : [];
  return joined(
    [...new Set([...opening, ...names])].filter((name) => !NO_NAME.has(name)),
    sentence,
  );
}

/** Joins names that follow each other, as in `National Science Centre`. */
function joined(names: string[], sentence: string): string[] {
  const runs: string[] = [];
  for (const name of names) {
    const run = `${runs.at(-1)} ${name}`;
    if (runs.length > 0 && sentence.includes(run)) runs[runs.length - 1] = run;
    else runs.push(name);
  }
  return runs;
}

/** Short words, and words that carry no content. */
const isFunctionWord = (word: string): boolean => word.length < 4 || stems(word).length === 0;

/** The first words of a sentence: `Ana Ferrer`. */
const OPENING = /^[\s*_"'“„«(]{0,9}(\p{Lu}[\p{L}-]{1,30})(?: (\p{Lu}[\p{L}-]{1,30}))?/u;
/** A surname behind an initial, whose full stop could also end a sentence: `J. Okafor`. */
const AFTER_INITIAL = /(?<!\p{L})\p{Lu}\. (\p{Lu}\p{Ll}{1,30})/gu;

const capitalNames = (sentence: string): string[] => [
  ...hardTokens(sentence).flatMap(({ kind, text }) => (kind === 'name' ? [text] : [])),
  ...Array.from(sentence.matchAll(AFTER_INITIAL), ([, name = '']) => name),
];

const GERMAN_TITLE = /^(?:Herrn?|Frau|Dr|Prof|Professorin|Professor)$/u;

interface GermanWord {
  text: string;
  /** Whether it follows a given name, an initial or a title. */
  isIntroduced: boolean;
  /** Whether nothing but a space is between it and the next word. */
  isBeforeWord: boolean;
}

function germanWords(text: string): GermanWord[] {
  const words = Array.from(text.matchAll(/\p{L}+(?:[-’']\p{L}+)*/gu));
  return words.map(({ 0: word, index: at }, i) => {
    const before = words[i - 1];
    const end = at + word.length;
    const isNext = before !== undefined && /^\.? $/.test(text.slice(before.index + before[0].length, at));
    const isIntroduction = (one: string) =>
      GERMAN_TITLE.test(one) || isOnlyGivenName(one) || /^\p{Lu}$/u.test(one);
    const isCapital = startsLikeName(word) && !GERMAN_TITLE.test(word);
    return {
      text: word,
      isIntroduced: isCapital && isNext && isIntroduction(before[0]),
      isBeforeWord: text[end] === ' ' && words[i + 1]?.index === end + 1,
    };
  });
}

function germanNames(sentence: string, surnames: ReadonlySet<string>): string[] {
  const words = germanWords(sentence);
  return words.flatMap(({ text, isIntroduced, isBeforeWord }, i) => {
    if (!startsLikeName(text) || GERMAN_TITLE.test(text)) return [];
    const isBeforeName = i > 0 && isBeforeWord && surnames.has(words[i + 1]!.text);
    return isIntroduced || isBeforeName || surnames.has(text) || isOnlyGivenName(text) ? [text] : [];
  });
}

/** Given names, by which a name is recognized at the start of a sentence and among the nouns of German. */
const GIVEN_NAMES = new Set(
  // German and Dutch
  (
    'Achim Ada Adam Adele Adelheid Agnes Albert Albrecht Alexander Alexandra Alfons Alfred Alice Alma Alois Alwin Amalie Andrea Andreas Anette Angela Angelika Anja Anke Anna Anne Annegret Anneliese Annelies Annette Anselm Antje Anton Armin Arne Arno Arnold Arthur Artur August Auguste Axel Barbara Beate Beatrix Benedikt Benjamin Benno Berit Bernd Bernhard Bert Berta Bertha Berthold Bettina Birgit Birte Bjarne Björn Bodo Bruno Burkhard Bärbel Caroline Carl Carla Carola Carolin Carsten Cäcilie Charlotte Christa Christel Christian Christiane Christina Christine Christoph Clara Claudia Claus Clemens Constanze Cordula Cornelia Cornelius Dagmar Daniel Daniela David Detlef Dieter Dietmar Dietrich Dirk Dora Doris Dorothea Dorothee Eberhard Eckhard Edgar Edith Eduard Egon Elena Elfriede Elias Elisabeth Elise Elke Ella Elsa Else Emil Emilia Emilie Emma Erhard Eric Erich Erik Erika Erna Ernst Erwin Esther Eugen Eva Evelyn Ewald Fabian Felix Ferdinand Florian Frank Franz Franziska Frauke Frederik Frieda Friedrich Friederike Fritz Gabi Gabriele Georg Gerald Gerd Gerda Gerhard Gero Gertrud Gesa Gisela Gottfried Gottlieb Greta Gregor Gudrun Guido Günter Günther Gustav Hanna Hannah Hannes Hans Harald Harm Hartmut Hedwig Heide Heidi Heike Heiko Heinrich Heinz Helga Helena Helene Helmut Helmuth Hendrik Henning Henriette Henrik Henrike Herbert Hermann Hilde Hildegard Hinrich Holger Horst Hubert Hugo Ida Ilka Ilona Ilse Imke Ines Inga Inge Ingeborg Ingo Ingolf Ingrid Irene Iris Irma Irmgard Isabel Isabella Isolde Jakob Jan Jana Jannik Janina Jens Jessica Joachim Jochen Johann Johanna Johannes Jonas Jonathan Joost Jörg Josef Josefine Joseph Judith Julia Julian Juliane Julius Jürgen Jutta Jürg Kai Karin Karl Karla Karoline Karsten Kaspar Katharina Kathrin Katja Katrin Kerstin Kilian Klara Klaus Knut Konrad Konstantin Korbinian Kristin Kristina Kristine Kurt Lars Laura Lea Leif Lena Leni Leo Leonhard Leonie Leopold Liesbeth Lina Linda Lisa Lorenz Lothar Louis Louise Lucas Lucia Ludger Ludwig Luisa Luise Lukas Lutz Magda Magdalena Maja Malte Manfred Manuela Marc Marcel Marco Marcus Maren Mareike Mareile Margarete Margarethe Margit Margot Margret Maria Marianne Marie Marina Mario Marion Marit Markus Marlene Marlies Marta Martha Martin Martina Mathilde Matthias Maximilian Max Mechthild Meike Melanie Merle Michael Michaela Miriam Mirjam Monika Moritz Nadine Nadja Natalie Nicole Niels Nikolaus Nils Nina Nora Norbert Nele Olaf Ole Oliver Oskar Oswald Otto Ottilie Pascal Patricia Patrick Paul Paula Pauline Peter Petra Philipp Pia Rainer Ralf Ralph Raimund Rebecca Regina Regine Reinhard Reinhold Reiner Renate Ricarda Richard Rita Robert Robin Roland Rolf Roman Ronald Rosa Rosemarie Roswitha Rudi Rudolf Rüdiger Rupert Ruth Sabine Sabrina Samuel Sandra Sarah Sascha Sebastian Sibylle Siegfried Siegmund Sigrid Silke Silvia Simon Simone Sofie Sonja Sophia Sophie Stefan Stefanie Steffen Stephan Susanne Svea Sven Swantje Sybille Sylvia Tabea Tanja Tatjana Thea Theo Theodor Theresa Therese Thomas Thorsten Tilman Tim Timo Tina Tobias Tom Torben Torsten Traudl Udo Ulf Ulrich Ulrike Ursula Ute Uta Utz Uwe Valentin Vera Veronika Victor Viktor Viktoria Vincent Volker Volkmar Waltraud Walter Walther Wanda Wenzel Werner Wiebke Wilfried Wilhelm Wilhelmine Willi Willy Winfried Wolf Wolfgang Wolfram Xaver Yvonne ' +
    // English, Irish and Welsh
    'Aaron Abigail Adrian Aidan Aileen Alan Alasdair Alastair Albert Alec Alexis Alison Alistair Allan Amanda Amelia Amos Amy Andrew Angus Anita Ann Annabel Annie Anthony Archibald Arnold Audrey Austin Barnaby Barry Bartholomew Beatrice Ben Bernard Bertram Bethany Betty Beverley Brenda Brendan Brian Bridget Bronwen Bruce Bryan Callum Calum Cameron Catherine Cecil Cecilia Cedric Charles Christopher Ciara Clive Colin Connor Conor Craig Cynthia Cyril Dafydd Damian Darren Deborah Declan Deirdre Denise Dennis Derek Desmond Diana Dominic Donald Dorothy Douglas Duncan Dylan Eamon Ebenezer Edmund Edward Edwin Eileen Elaine Eleanor Eliza Elizabeth Ellen Emily Emyr Enid Ernest Ethan Ethel Evan Ewan Fergus Fiona Florence Frances Francis Frederick Gareth Gavin Gemma Geoffrey George Gerald Gerard Gilbert Giles Gillian Gladys Glenn Gordon Graham Gregory Gwen Gwil Gwilym Hamish Harold Harriet Harry Hazel Heather Hector Helen Henry Hester Hilary Horace Howard Hugh Humphrey Iain Ian Imogen Irving Isaac Isabelle Isobel Ivor Jacob James Jamie Jane Janet Janice Jasper Jean Jeffrey Jennifer Jenny Jeremiah Jeremy Jessica Jill Jim Joan Joanna Joe Joel John Johnny Jonathan Jordan Joshua Josiah Joyce Judith Julie Julian Karen Katherine Kathleen Keith Kelly Kenneth Kevin Kieran Kimberley Kirsty Laurence Lawrence Leah Lee Leonard Leslie Lewis Liam Lilian Linda Lloyd Louisa Lucy Luke Lydia Lynn Mabel Malcolm Margaret Marjorie Martha Mary Matilda Matthew Maud Maureen Megan Mervyn Michelle Mildred Miles Millicent Miranda Moira Molly Morag Muriel Murdo Myrtle Nancy Naomi Natasha Nathan Nathaniel Neil Nicholas Nigel Noel Norman Oona Oscar Owen Pamela Patrick Pauline Penelope Percy Phillip Philip Phoebe Phyllis Priscilla Rachel Raymond Reginald Rhiannon Rhys Roderick Rodney Roger Ronald Rory Rosalind Rosemary Rowan Rupert Russell Ruth Ryan Sally Samantha Sandra Sean Seamus Sharon Sheila Shirley Sian Sidney Silas Sinead Stanley Stella Stephen Steven Stewart Stuart Susan Suzanne Sybil Terence Teresa Thelma Timothy Tony Tracey Trevor Tristan Ursula Vanessa Vernon Veronica Victoria Violet Virginia Vivian Wallace Walter Warren Wendy Wilfred William Winifred Winston Zachary Zoe ' +
    // Polish and Czech
    'Adam Agata Agnieszka Aleksander Aleksandra Alicja Andrzej Aneta Antoni Antonina Artur Bartosz Bartłomiej Beata Bogdan Bogumił Bogusław Bolesław Bożena Bronisław Cecylia Czesław Damian Danuta Dariusz Dominik Dorota Edyta Elżbieta Emilia Ewa Eugeniusz Feliks Franciszek Franciszka Gabriela Grażyna Grzegorz Halina Hanna Helena Henryk Honorata Hubert Iga Ignacy Irena Iwona Izabela Jacek Jadwiga Jakub Janina Janusz Jarosław Jerzy Joanna Jolanta Józef Józefa Julian Justyna Kacper Kamil Kamila Karol Karolina Katarzyna Kazimierz Kazimiera Kinga Klaudia Konrad Krystian Krystyna Krzysztof Lech Leszek Leon Lidia Łucja Lucjan Ludwik Ludwika Łukasz Maciej Magdalena Małgorzata Marcin Marek Mariusz Marianna Marzena Mateusz Michalina Michał Mieczysław Mikołaj Milena Mirosław Natalia Olga Patryk Paulina Paweł Piotr Przemysław Radosław Rafał Renata Robert Roman Ryszard Sławomir Stanisław Stanisława Stefania Sylwester Sylwia Szymon Tadeusz Teodora Tomasz Urszula Wacław Waldemar Walenty Wanda Weronika Wiesława Wiesław Wiktor Wiktoria Wincenty Witold Władysław Włodzimierz Wojciech Zbigniew Zdzisław Zofia Zuzanna Zygmunt Jaroslav Jiří Karel Ladislav Miloš Miroslav Ondřej Pavel Petr Václav Vladimír Zdeněk ' +
    // French
    'Adèle Adrien Agathe Aimé Alain Alexandre Aline Amélie Anaïs André Andrée Angélique Antoine Antoinette Armand Arnaud Aurélie Aurélien Baptiste Bastien Béatrice Benoît Bernadette Blaise Blanche Brigitte Camille Catherine Cécile Céleste Céline Chantal Chloé Christophe Claire Claude Clément Clémence Colette Corinne Cyrille Danielle Delphine Denis Didier Dominique Édouard Éliane Élise Élodie Émile Émilie Éric Étienne Eugène Eugénie Fabien Fabienne Fabrice Fernand Florence François Françoise Frédéric Gaëlle Gaston Geneviève Georges Georgette Gérard Germaine Ghislaine Gilles Ginette Grégoire Guillaume Guy Gustave Hélène Henri Hervé Hortense Hubert Inès Irène Isabelle Ismaël Jacqueline Jacques Jean Jeanne Jérôme Joëlle Joséphine Jules Julien Juliette Justine Laurence Laurent Léa Léon Léonie Liliane Loïc Luc Lucie Lucien Lucienne Madeleine Manon Marcelle Marguerite Marius Mathieu Mathilde Matthieu Maurice Mélanie Michel Michèle Mireille Monique Moussa Nathalie Nicolas Noémie Odette Odile Olivier Pascal Patrice Paulette Philippe Pierre Raoul Raymonde Régis Rémi Renaud René Renée Roland Romain Sandrine Sébastien Séverine Solange Solène Stéphane Stéphanie Suzanne Sylvain Sylvie Théo Théodore Théophile Thérèse Thibault Thierry Valérie Véronique Virginie Xavier Yann Yannick Yves Yvette ' +
    // Spanish, Portuguese and Italian
    'Adela Adolfo Adriana Agustín Alba Alberto Alejandra Alejandro Alfonso Alfredo Alicia Álvaro Amparo Ana Anabel Andrés Ángel Ángela Anselmo Antonia Antonio Araceli Arturo Asunción Aurelio Aurora Baltasar Bartolomé Beatriz Begoña Belén Benito Bernardo Blanca Borja Camila Carlos Carmela Carmen Carolina Catalina Cayetano Claudio Concepción Consuelo Cristina Cristóbal Diego Dolores Domingo Eduardo Elvira Emilio Encarnación Enrique Ernesto Esperanza Esteban Eugenia Eusebio Ezequiel Federico Felipe Fermín Fernanda Fernando Fidel Francisca Francisco Gabriel Gerardo Gloria Gonzalo Graciela Gregorio Guadalupe Guillermo Héctor Hernán Hugo Ignacio Inés Irene Ismael Iván Jaime Javier Jesús Jimena Joaquín Jorge José Josefa Juan Juana Julio Leandro Leonor Lorena Lorenzo Lourdes Luana Lucio Luis Luisa Luz Manolo Manuel Manuela Marcos Margarita Mariana Mariano Marisol Marta Mateo Matías Mauricio Mercedes Micaela Miguel Miguelina Montserrat Nicolás Nieves Noelia Norberto Nuria Octavio Olga Óscar Pablo Paloma Paco Patricia Pedro Pilar Rafael Ramiro Ramón Raquel Raúl Remedios Ricardo Roberto Rocío Rodrigo Rodolfo Rogelio Rosario Rubén Salvador Santiago Saúl Sergio Sofía Soledad Teodora Teodoro Teresa Tomás Trinidad Valentina Vicente Víctor Virginia Ximena Yolanda João Joana Luís Paulo Rui Tiago Afonso Giovanni Giuseppe Giulia Francesca Francesco Luca Marco Matteo Paolo Pietro Chiara Alessandro Alessandra Stefano Lorenzo Elisabetta Giorgio Luigi Domenico Vincenzo Carlo Enzo Filippo Salvatore ' +
    // Nordic, Turkish, Slavic, Arabic, Indian and East Asian
    'Aksel Anders Arvid Astrid Birger Einar Eirik Eivind Elin Erland Eskil Freja Frida Gunnar Gunilla Haakon Håkon Halvard Hanne Haakan Hilma Ingvar Jarl Jesper Jörgen Jørgen Kirsten Kjell Kjersti Lasse Leif Linnea Mads Magnus Marit Mette Mikkel Mogens Morten Olav Olof Rasmus Rune Sigurd Signe Siri Sofus Solveig Sören Søren Svein Sverre Terje Thor Thora Tor Tore Torbjörn Tove Trond Ulla Vilde Ahmet Ali Aslı Aylin Ayşe Berat Burak Bülent Can Cem Deniz Ebru Elif Emine Emre Engin Esra Fatih Fatma Gülay Hakan Halil Hamza Hasan Hatice Hüseyin Ibrahim İbrahim Kemal Kubilay Leyla Mehmet Merve Meryem Murat Mustafa Nazlı Necla Nuray Orhan Osman Ömer Özlem Selim Selin Serkan Sevim Sibel Tarık Tuncay Turgut Ümit Yusuf Zeynep Alexej Aleksei Anastasia Andrej Andrei Anatoli Boris Dmitri Galina Igor Ilja Irina Iwan Jelena Jewgeni Katerina Ksenia Lev Ljudmila Ludmila Maxim Mikhail Mila Mischa Natalia Natalja Nikita Nikolai Nikola Oksana Oleg Oleh Olena Oxana Pjotr Sergei Sergej Svetlana Swetlana Taras Vadim Vasyl Vasili Vladimir Wladimir Yuri Juri Aisha Amina Amir Aziz Fadi Farid Fatima Habib Hadi Hamid Hassan Hussein Jamal Jamila Karim Khadija Khaled Laila Layla Mahmoud Malik Mariam Mohamed Mohammed Muhammad Nadia Nasser Noor Omar Rachid Rania Rashid Said Salim Salma Samir Samira Tariq Yasmin Youssef Zahra Zainab Aarav Aditi Amit Anand Anil Anjali Arjun Arun Asha Deepa Deepak Divya Gita Indira Kavita Kiran Krishna Lakshmi Lata Manoj Meena Mohan Neha Nikhil Pooja Prakash Priya Radha Rahul Raj Rajesh Ravi Rekha Rohan Sanjay Shreya Sita Sunil Sunita Suresh Uma Vijay Vikram Akira Haruki Hiroshi Kenji Mei Takeshi Yuki Yoko Chukwu Chidi Kofi Kwame Ngozi Thabo Zanele Olumide'
  ).split(' '),
);

/** Those that are common words, too, mostly of English. */
const WORDS_TOO = new Set(
  'Art August Auguste Can Deniz Domingo Dolores Ernst Esperanza Frank Gloria Grace Grant Harm Heide Iris Jasper Jean Lee Luz Luis Mark May Merle Mercedes Miles Nieves Pascal Pilar Remedios Robin Roman Rosa Rosario Rowan Rose Said Salvador Soledad Solange Trinidad Violet Virginia Will Wolf Alba Aurora Blanca Hazel Heather Guy Claire Blanche Aimé Olive Luce Victoria Florence Constance Jordan Austin Asunción Concepción Consuelo Amparo Rocío Paris Malik Uma Rune Tor Anders Lasse'.split(
    ' ',
  ),
);

/** Returns whether a word is a given name. */
const isGivenName = (word: string): boolean => GIVEN_NAMES.has(word);

/** Returns whether a word is a given name and hardly ever means anything else. */
const isOnlyGivenName = (word: string): boolean => GIVEN_NAMES.has(word) && !WORDS_TOO.has(word);
