//! Errors that can be planted into the heap models, to see that the exactness check finds them. For tests only: without the
//! feature `planted-errors`, [`Planted::here`] is `false` at compile time and nothing of it is left.
//!
//! Each is an error of a printed rule, or one that an implementation of the rules is likely to make.

/// What is planted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Planted {
    /// `summary`: an initialisation overwrites what a conditional write stored (the printed θ_orig).
    SummaryLosesConditionalWrite = 1,
    /// `summary`: value sets are not merged before a write, so that a location that occurs twice keeps one update only.
    SummaryWithoutMerge,
    /// `summary`: a field access computes the guard that excludes null, and forgets it (φ'g).
    SummaryForgetsNullCheck,
    /// `summary`: the false side of an equality keeps nothing of the path condition (EQUALS-FALSE as printed).
    SummaryEqualsFalseDropsPath,
    /// `summary`: the false side of an equality is a conjunction over the common locations (document 004, Figure 15).
    SummaryEqualsFalseConjunction,
    /// `summary`: an input may be an object that the program allocated.
    SummaryAliasesAllocated,
    /// `summary`: an alias equals one symbol and differs from all others, so that no guard holds where two symbols denote one
    /// object (the alias guards as printed).
    SummaryAliasGuards,
    /// `uber-lazy`: a reference is null or fresh, never an alias (the sketch of document 004).
    UberLazyWithoutAliases,
    /// `pose-ite`: a write updates the leaves of the reference only.
    PoseWritesLeavesOnly,
    /// `pose`: a write through a choice leaves the program's objects out.
    PoseWritesNoLocations,
    /// `pose-ite`: a write through a choice does not refine its leaves first.
    PoseWritesUnrefined,
    /// `pose`: a symbol that has a value for some field is taken to be non-null.
    PoseBoundIsNonNull,
    /// `pose-ite`: an initialised field takes no notice of aliases (the plain Z of the printed mergeHGf and mergeHPf).
    PoseInitialisesPlain,
    /// `pose`: an object of the program is never equal to a choice.
    PoseAllocatedNeverEqual,
    /// `pose`: what was read is remembered for all paths.
    LogSharesReads,
    /// `pose`: what was read is remembered by the length of the log, which an overwritten entry does not change.
    LogRemembersByLength,
    /// `pose`: the oldest write comes first.
    LogOldestFirst,
    /// `pose`: a second write through the same reference takes the place of the first one.
    LogOverwritesInPlace,
    /// `pose`: initial values are names, not functions.
    LogWithoutCongruence,
    /// `pose`: references count as loaded also where they were not; only bounds show it.
    LogLoadsWithoutGuards,
    /// `pose`: what is said of a field is independent of what is said of its holder, so that parts of a path that say something of one object
    /// are solved apart.
    LogGroupsWithoutHolders,
    /// `pose`: an object of the program has no fields, not even by default, where a choice may denote it.
    PoseReadsNoLocations,
    /// `pose`: a reference of the input may denote an object of the program.
    PoseNewObjectsNotApart,
    /// `lazy` and its variants: a fresh reference is never an alias.
    LazyWithoutAliases,
    /// `lazy` and its variants: an input may be an object that the program allocated.
    LazyAliasesAllocated,
    /// `lazier#`: that a reference is not null is forgotten when it is dereferenced.
    LazierSharpForgetsNonNull,
}

impl Planted {
    pub const ALL: [Planted; 26] = [
        Planted::SummaryLosesConditionalWrite,
        Planted::SummaryWithoutMerge,
        Planted::SummaryForgetsNullCheck,
        Planted::SummaryEqualsFalseDropsPath,
        Planted::SummaryEqualsFalseConjunction,
        Planted::SummaryAliasesAllocated,
        Planted::SummaryAliasGuards,
        Planted::UberLazyWithoutAliases,
        Planted::PoseWritesLeavesOnly,
        Planted::PoseWritesNoLocations,
        Planted::PoseWritesUnrefined,
        Planted::PoseBoundIsNonNull,
        Planted::PoseInitialisesPlain,
        Planted::PoseAllocatedNeverEqual,
        Planted::LogSharesReads,
        Planted::LogRemembersByLength,
        Planted::LogOldestFirst,
        Planted::LogOverwritesInPlace,
        Planted::LogWithoutCongruence,
        Planted::LogLoadsWithoutGuards,
        Planted::LogGroupsWithoutHolders,
        Planted::PoseReadsNoLocations,
        Planted::PoseNewObjectsNotApart,
        Planted::LazyWithoutAliases,
        Planted::LazyAliasesAllocated,
        Planted::LazierSharpForgetsNonNull,
    ];

    /// Whether only a bound on the length of chains shows it.
    pub const fn needs_bound(self) -> bool {
        matches!(self, Planted::LogLoadsWithoutGuards)
    }

    /// Whether this error is planted.
    #[cfg(not(feature = "planted-errors"))]
    pub(crate) const fn here(self) -> bool {
        false
    }

    /// Whether this error is planted.
    #[cfg(feature = "planted-errors")]
    pub(crate) fn here(self) -> bool {
        PLANTED.load(std::sync::atomic::Ordering::Relaxed) == self as u8
    }
}

/// The error that is planted in the whole process; 0 for none.
#[cfg(feature = "planted-errors")]
static PLANTED: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(0);

/// Plants an error, in place of the one before.
#[cfg(feature = "planted-errors")]
pub fn plant(error: Option<Planted>) {
    PLANTED.store(error.map_or(0, |e| e as u8), std::sync::atomic::Ordering::Relaxed);
    lazuli_logic::planted::forget_holders(error == Some(Planted::LogGroupsWithoutHolders));
}
