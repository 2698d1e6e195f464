//! What a table is set up with (section 2).

use serde::{Deserialize, Serialize};

use super::tables::{Character, City, CitySide, Scenario, SkySet, tables};
use crate::error::OptionsError;

/// The most characters in a team.
pub const TEAM_MAX: usize = 3;

/// The options of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// A single battle, or a campaign. A campaign takes no other option, besides
    /// `campaign_content`, which it needs.
    pub mode: Mode,
    /// The city to defend.
    pub city: City,
    /// Which side of it is up.
    pub city_side: CitySide,
    /// How many sky tiles, drawn at random, lie on the dangerous side: 0 to 4. If absent, 1, or as
    /// many as `sky_sides` says.
    pub threat: Option<u8>,
    /// For levels 1 to 4, whether the tile lies on the dangerous side. If absent, `threat` tiles
    /// are drawn at random.
    pub sky_sides: Option<[bool; 4]>,
    /// Whether the blue dice are used; if not, robot rooms can't be resolved.
    pub robots: bool,
    /// Whether the campaign's cities, sky tiles, characters and scenarios may be used.
    pub campaign_content: bool,
    /// For levels 1 to 4, which tile is used.
    pub sky_set: [SkySet; 4],
    /// Up to three characters, all different.
    pub characters: Vec<Member>,
    /// The scenario, if any.
    pub scenario: Option<Scenario>,
}

/// A single battle, or a campaign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// One battle.
    #[default]
    Single,
    /// The campaign of section 12.4.
    Campaign,
}

/// A character in a team.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Who.
    pub id: Character,
    /// Whether with the upgraded ability.
    #[serde(default)]
    pub upgraded: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: Mode::Single,
            city: City::ROSWELL,
            city_side: CitySide::Intact,
            threat: None,
            sky_sides: None,
            robots: true,
            campaign_content: false,
            sky_set: [SkySet::Base; 4],
            characters: Vec::new(),
            scenario: None,
        }
    }
}

impl Options {
    /// How many sky tiles lie on the dangerous side.
    pub fn threat(&self) -> u8 {
        let given = self
            .sky_sides
            .map(|sides| sides.iter().filter(|&&dangerous| dangerous).count() as u8);
        given
            .or(self.threat)
            .unwrap_or(tables().constants.threat_default)
    }

    /// Checks the options.
    pub(super) fn check(&self) -> Result<(), OptionsError> {
        if self.mode == Mode::Campaign {
            return self.check_campaign();
        }
        let constants = &tables().constants;
        let (min, max) = (constants.threat_min, constants.threat_max);
        if self
            .threat
            .is_some_and(|threat| !(min..=max).contains(&threat))
        {
            return Err(OptionsError::new("threat", format!("{min} to {max}")));
        }
        if self.threat.is_some_and(|threat| threat != self.threat()) {
            return Err(OptionsError::new(
                "threat",
                "as many as sky_sides has dangerous sides, or absent",
            ));
        }
        let distinct = |(at, member): (usize, &Member)| {
            self.characters[..at]
                .iter()
                .all(|other| other.id != member.id)
        };
        if self.characters.len() > TEAM_MAX || !self.characters.iter().enumerate().all(distinct) {
            return Err(OptionsError::new(
                "characters",
                format!("0 to {TEAM_MAX}, all different"),
            ));
        }
        if !self.campaign_content {
            self.check_base_game()?;
        }
        Ok(())
    }

    /// Without the campaign's content there are the cities of chapter 0, the base sky tiles, no
    /// characters and no scenario.
    fn check_base_game(&self) -> Result<(), OptionsError> {
        if self.city.tile().chapter != 0 {
            let open = City::all().filter(|city| city.tile().chapter == 0);
            let open: Vec<_> = open.map(|city| city.tile().id.as_str()).collect();
            return Err(OptionsError::new(
                "city",
                format!("{}; all with campaign_content", open.join(", ")),
            ));
        }
        if self.sky_set != [SkySet::Base; 4] {
            return Err(OptionsError::new(
                "sky_set",
                "base at every level; advanced with campaign_content",
            ));
        }
        if !self.characters.is_empty() {
            return Err(OptionsError::new(
                "characters",
                "none; up to 3 with campaign_content",
            ));
        }
        if self.scenario.is_some() {
            return Err(OptionsError::new(
                "scenario",
                "none; any with campaign_content",
            ));
        }
        Ok(())
    }

    fn check_campaign(&self) -> Result<(), OptionsError> {
        if !self.campaign_content {
            return Err(OptionsError::new("campaign_content", "true for a campaign"));
        }
        let usual = Self::default();
        let taken = [
            ("city", self.city == usual.city),
            ("city_side", self.city_side == usual.city_side),
            ("threat", self.threat == usual.threat),
            ("sky_sides", self.sky_sides == usual.sky_sides),
            ("robots", self.robots == usual.robots),
            ("sky_set", self.sky_set == usual.sky_set),
            ("characters", self.characters == usual.characters),
            ("scenario", self.scenario == usual.scenario),
        ];
        match taken.iter().find(|(_, absent)| !absent) {
            Some((field, _)) => Err(OptionsError::new(field, "not given: a campaign settles it")),
            None => Ok(()),
        }
    }
}
