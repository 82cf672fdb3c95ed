/**
 * H8 to H10: queries as people type them, each with the entry that it should find: kind, start of its uuid, query.
 *
 * Entries were drawn at random by a seed, before anything was searched for; a rare word of the entry became the query: its
 * beginning, a part of it, the word with one slip of a finger, two words, a word of a second language without accents, an
 * identifier, a path or the end of one. A beginning or a part is in at most eight texts, by a plain look at all words.
 * `intent` are queries of people who tried the command.
 */
const CORPUS = `
prefix 56cace5c unwield
prefix 08[REDAC softwareupdat
prefix 340fd62e declutte
prefix 0277a0fc brevement
prefix 2464f380 machacand
prefix db980106 filin
prefix 3b4b2eff estructur
prefix 609cca9f midwa
prefix 8b9a5b94 ejecutand
prefix adfd6bba defla
prefix 3a926930 exploitabilit
prefix 1e669b84 generica
prefix 67593535 refoc
prefix 59bae899 commente
prefix 657cb886 resurf
prefix 40db322b jumble
prefix 6e1200a8 proliferat
prefix d40cb792 exitos
prefix 19528f2d tenia
prefix 5c5d5f46 redundantl
prefix f8c5b744 appreciat
prefix 228be862 segmentati
prefix 60a02b1b puert
prefix c7173466 nanoseco
prefix fdd2f858 detaili
prefix c0419d87 moverl
prefix 963d09c0 tentativ
prefix e301754e summeriz
prefix 6b3d0401 jugglin
prefix 2c0b4224 landscap
prefix 812c8e30 shellfi
prefix 27c4425a pressi
prefix a95ce145 streamli
prefix a628a10d predictin
prefix 75358680 ipykerne
prefix c277ef90 takeo
prefix 02f6b5f2 worde
prefix 00e15df4 volta
prefix df9a2136 slowes
prefix 8ba9f256 bstrate
part 107df7b8 ovalPolic
part 067457c8 ildUni
part 52fd892f hParentSc
part 00a6993b balTotal
part 591c3622 abledPl
part 4874aea1 rDefaultG
part d26e909f reUserRem
part f4f7894a scoverLi
part 0256ff07 inalPosi
part 7096350f sicCon
part 616164a5 pEntries
part c3deb90a eToFact
part c9678872 entMaxH
part c8d1a996 dRepos
part f4259ea3 mattedLo
part eb633543 condHei
part 23074b7f hiveExi
part 07dad121 zGetUs
part 894d0fea lseCha
part aafd6039 ndTaskCh
part 8c5b705e isterA
part 421c69bc rgeCon
part c2f87eee ckoutExi
part d6446fc9 signInE
part 09402fb1 edSett
part 3be1f00c pectedVe
part 56300f93 uteScenar
part 0ea80e51 ModifyTo
part 90b1fded teStoreO
part 4a35e056 llabHand
typo 91dbaca0 reltnzado
typo 3fb73a08 lambndas
typo 87fcb4e3 emeregd
typo cadd3d2c simpllmente
typo 847d6d2c throoughness
typo 9a2372eb spirnts
typo ab20e3e8 logeuado
typo 59a2f6d3 psojected
typo 5df8e1ed chnaegs
typo 9ab8e893 gitlignoring
typo fe83dadb synthesizned
typo a602a283 cioexists
typo ab0cf7e6 interrelaed
typo 9a29b1e6 debugogability
typo 90c37489 deeats
typo 8fad1412 deretho
typo 4e91b2f0 danglning
typo 3477d62c brackts
typo 0919e1b4 hoemserver
typo 9c0f52ab killsitch
typo e44d6f2d sesostion
typo fc9d250d tiumphs
typo b114a37d tercoros
typo 0605f8eb confires
typo 2bb9600c recuperdos
typo 0bd7823c trunctaions
typo 566d53ed comfrtable
typo c82a901c espearr
typo b9edd432 implasusible
typo 0266ade7 partlelo
typo ccbb94fe conradicting
typo 69e364cf lableling
typo 58147e80 complincate
typo 5f117910 joiinng
typo a77f45e7 tstoke
typo 46572692 diefstruct
typo 89f30702 quarer
typo bd4d98a3 aqcuiring
typo 593044e6 inijectable
typo cb3b83d3 srymptoms
words d43ea07a credible uppe
words 0b92030f aparto present
words 2a1127e0 agrega dentr
words f01be2ba packaging preamble
words 348f5171 premature smalle
words 024f7743 worth consume
words 233f639d distinction matter
words 35147fa7 particular locate
words a9006aab starchart soluc
words a1edf4ea codepath reconstruc
words f988b380 permite valore
words e4788d08 adoption owne
words a2bb9623 fastest configurin
words 096d2616 decirte exactament
words 78165571 widths centere
words 3e417dda appended integrate
words 40279ee2 blocklist peopl
words 60f79449 defensive inconsisten
words fade78e8 antes deja
words 34eba56e matters ancien
spanish bf33facd precaucion
spanish 6061cca6 mantendra
spanish 5fbbf052 narraci
spanish feb3d0c4 traer
spanish d46b4141 graficos
spanish 10383bc9 ultimo
spanish f8053d73 seccion
spanish c2290b54 romper
spanish c13ddeb6 modificaci
spanish b76b11cd documentan
spanish e175147b configuraci
spanish 939173c1 logueandote
spanish 07f2ed19 habria
spanish 279cbefd sinonim
spanish 68ef0b21 expiracion
spanish 25a69670 copiara
spanish cbc492d9 maximo
spanish 936bf2a3 convenciones
spanish 800b6653 paginando
spanish 32c7aae6 caract
code e24d2e87 behavioral-risk-screening
code 53254c99 nmodel_name
code f16ef153 ninja-like
code e7785faa kmod-br-netfilter
code 64c43fcd ralph-wiggum-explained
code a153d72b objective-reevaluate
code c9c2c73d colorblind-safe
code d4d07581 timbre_energy
code 9284d476 pam_tid
code dc4fb082 learning-oriented
code 28b0268c base_rtt
code 9660dda4 phc_development_key
code be5f410f nworkflow_run_id
code 772b29a2 font-geist-sans
code f7a61b14 copyable_label
code f9d55865 SaveLocal
code cda36fd9 FakePlanDataProvider
code 3322721f FakeWorktree
code aa945c89 RedLine
code 0b80eb26 DryRunGraphite
code cf75a0eb SyntaxError
code 0ccd4579 AssertionType
code 768548c0 ClaudeHooks
code ed97f102 NodeSlugResult
code 8fa7edae LangMessage
path b1aa63d3 plans/indexed-chasing-goblet
path 1fe73763 behavioral-risk-screening-concepts/SKILL
path 78868f67 scripts/predeploy-check
path dfad45c1 script/erk-land-53fa74eb
path 8ffa56cf plans/nifty-sniffing-pelican
path 9c5ccf52 validation/ValidationOrchestrator.js
path 9161e7f1 ci/workflow-gating-patterns
path 2b3ca4aa plans/structured-sniffing-panda
path 85facb5e plans/joyful-painting-bubble.md
path 3a4ee678 plans/giggly-doodling-toast
path 3a5dab03 plans/staged-giggling-axolotl.md
path 600efb67 scripts/predeploy-check.sh
path aec132af plans/staged-giggling-axolotl
path 2d92853d tmp/chk_supabase.py
path 7b8498c9 plans/structured-sniffing-panda.md
path 2ff28c74 p/js/editorapp.js
path adb7a97f aude/plans/nifty-sniffing-pelican.md
path a61271df c/validation/ValidationOrchestrator.js
path 667b9363 m/xtermjs/xterm.js
path d578ecf4 st/script/erk-land-53fa74eb.sh
intent a665fc37 kubern
intent 99ae5117 unzst
intent adfd6bba zstd*
intent 90cdfec3 *zst
intent 8fa422cd zstdmt
`

const SAMPLES = `
prefix 4b30cc48 repeat
prefix 2fd0cafe twelv
prefix cf76f1da whethe
prefix 544c115b nearl
prefix c4f652bb inclu
prefix 71b8cd16 refu
part 62be0e5c duce
part ccfbcbba tals
part 39aa7b8d eserv
part 2cd01b13 turns
part d0b3ea9d cally
part 234a0d69 ring
typo 6695ff1d msatches
typo 5638a2fb mmeory
typo a36d8326 pyment
typo 99b7bcd2 befoe
typo dd676458 summted
typo e6dd680c paymnet
words 2dfa7a5c sample surve
words 61b33fe2 line ever
words eb54a921 three secon
words 6c04f5f5 larger reache
path 6a159823 shop/package
path e023782c src/stock.ts
path 307df5a0 workflows/ci
path 77f59bc9 search/index.ts
`

interface TypedQuery {
  readonly kind: string
  readonly node: string
  readonly text: string
}

/** For the corpus, which is not part of the repository. */
export const CORPUS_QUERIES: readonly TypedQuery[] = queriesIn(CORPUS)

/** For the samples of the repository. */
export const SAMPLE_QUERIES: readonly TypedQuery[] = queriesIn(SAMPLES)

function queriesIn(lines: string): readonly TypedQuery[] {
  return lines
    .trim()
    .split('\n')
    .map(line => {
      const [kind = '', node = '', ...words] = line.split(' ')
      return { kind, node, text: words.join(' ') }
    })
}
